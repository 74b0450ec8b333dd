import { type Role, roles } from '#contract/scopes.ts'
import { mainOf, type Value, wrong } from '#control-plane/access/scim/person.ts'

/** The role of a member for whom a directory gives none. */
export const defaultRole = 'member'

/**
 * The role that a directory gives: the primary one, else the highest; undefined where it says nothing. An empty list
 * gives the usual role.
 */
export function roleOf(values: readonly Value[] | undefined): Role | undefined {
  if (values === undefined) return undefined
  if (values.length === 0) return defaultRole
  const given = values.map(({ value = '' }) => roleNamed(value))
  if (values.some(({ primary }) => primary)) return roleNamed(mainOf(values) ?? '')
  return roles.find(role => given.includes(role))
}

function roleNamed(text: string): Role {
  const name = nameIn(text).trim().toLowerCase()
  const role = roles.find(known => known === name)
  if (!role) throw wrong('roles', `must be one of ${roles.join(', ')}`)
  return role
}

/** Entra ID may send the role as the text of an object with `value`. */
function nameIn(text: string): string {
  if (!text.startsWith('{')) return text
  try {
    const { value } = JSON.parse(text) as { value?: unknown }
    return String(value)
  } catch {
    return text
  }
}
