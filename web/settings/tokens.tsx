import { OwnSession } from '../access/own-session.tsx'
import { useMay } from '../shell/may.ts'
import { Tokens } from '../tokens/tokens.tsx'

/** Tokens of the person in this team, and for administrators the keys of the team. */
export function TokensOfTeam() {
  const { administers } = useMay()
  return (
    <OwnSession>
      <Tokens family="personal" isFirst />
      {administers && <Tokens family="keys" />}
    </OwnSession>
  )
}
