import { useSuspenseQueries } from '@tanstack/react-query'
import { OwnSession } from '../../access/own-session.tsx'
import { profileQuery } from '../../shared-queries.ts'
import { factorQuery } from '../queries.ts'
import { Authenticator } from './authenticator.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'
import { TrustedDevices } from './trusted-devices.tsx'

/** How the person signs in, and where they are signed in. */
export const Security = () => (
  <OwnSession>
    <SignIn />
  </OwnSession>
)

function SignIn() {
  const [profile, factor] = useSuspenseQueries({ queries: [profileQuery, factorQuery] })
  return (
    <>
      <Password profile={profile.data.data} />
      <Authenticator factor={factor.data.data} />
      <Passkeys />
      <Sessions />
      <TrustedDevices />
    </>
  )
}
