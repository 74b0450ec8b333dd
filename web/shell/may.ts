import { actingIn } from './acting.ts'
import { usePerson } from './session.ts'

/**
 * What the person may do in the team at hand. In a managed team a reseller's people do not change people, keys or
 * payment: for these there is the console. A session that is limited to its team does not change people either.
 */
export function useMay() {
  const { role, isLimited } = usePerson()
  const isActing = actingIn() !== null
  const administers = role === 'owner' || role === 'admin'
  return { isActing, administers, owns: role === 'owner', managesPeople: administers && !isActing && !isLimited }
}
