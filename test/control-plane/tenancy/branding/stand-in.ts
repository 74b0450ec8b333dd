import { CallerUnderTest, type TeamUnderTest } from '#test/support/app.ts'

/** The reseller in the name of its team, by an impersonation token. */
export async function standIn(reseller: CallerUnderTest, team: TeamUnderTest): Promise<CallerUnderTest> {
  const { body } = await reseller.post(`${team.path}/impersonation-tokens`)
  return new CallerUnderTest(team.tenantId, null, body.plain_text_token)
}
