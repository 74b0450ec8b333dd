import type { Schemas } from '../../api.ts'

export function stateOf({ is_paused: isPaused, on_trial: isOnTrial }: Schemas['ManagedTeam']) {
  if (isPaused) return 'paused'
  return isOnTrial ? 'trial' : 'active'
}
