import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Answer, CallerUnderTest, given } from '#test/support/app.ts'

export const scim = '/api/scim/v2'
export const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** The directory of a team, by a token that this person of the team created. */
export async function directoryOf(owner: CallerUnderTest): Promise<CallerUnderTest> {
  const { status, body, text } = await owner.post('/scim-tokens', { name: 'Entra ID' })
  expect(status, text).toBe(201)
  return new CallerUnderTest(owner.tenantId, null, body.plain_text_token)
}

/** A team whose plan has single sign-on, and its directory. */
export async function aTeamWithDirectory(overrides: Record<string, unknown> = {}) {
  const owner = await given.tenant({ overrides: { sso: true, ...overrides } })
  return { owner, directory: await directoryOf(owner) }
}

/** A new person, as Okta sends one. */
export function newPerson(more: Record<string, unknown> = {}) {
  const userName = `${randomUUID()}@people.test`
  return {
    schemas: [coreUser],
    userName,
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    externalId: randomUUID(),
    active: true,
    ...more,
  }
}

export const patchOf = (...Operations: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

/** The error of SCIM in an answer. */
export const errorOf = ({ status, body }: Answer) => [status, body?.scimType]
