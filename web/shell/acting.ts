/** The managed team that a reseller has stepped into, in this tab alone. */
export interface ActingIn {
  tenantId: string
  name: string
  /** The page that the person stepped in from, and comes back to. */
  from?: string
}

const key = 'acting-in'

export function actingIn(): ActingIn | null {
  const text = sessionStorage.getItem(key)
  return text === null ? null : (JSON.parse(text) as ActingIn)
}

/** Steps into a team, or out with null. The app is loaded again, so that nothing of one team is left in another. */
export function actIn(team: ActingIn | null): void {
  const from = actingIn()?.from ?? '/console/teams'
  if (team === null) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, JSON.stringify({ ...team, from: location.pathname }))
  location.assign(team === null ? from : '/app')
}
