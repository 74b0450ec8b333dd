import { daysAfter, stamp } from '#contract/time.ts'
import { mintLink } from '#control-plane/base/mail-link.ts'

const lifeDays = 7

/** A link that, with the account's password, proves its address. */
export function newProof(baseUrl: string, now: Date) {
  const { hash, url } = mintLink(`${baseUrl}/email-verify`)
  return { hash, url, expiresAt: daysAfter(now, lifeDays) }
}

type Proof = ReturnType<typeof newProof>

export const proofMail = (person: { name: string }, team: { name: string }, { url, expiresAt }: Proof) => ({
  user_name: person.name,
  team_name: team.name,
  verify_url: url,
  expires_at: stamp(expiresAt),
})
