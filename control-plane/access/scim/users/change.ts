import { findMember } from '#control-plane/access/members/find.ts'
import { changeRole, changeStatus } from '#control-plane/access/members/update.ts'
import { fullNameOf, mainOf, type Person, wrong } from '#control-plane/access/scim/person.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { scimRefusal } from '#control-plane/http/scim-error.ts'
import { refuseTaken, storePerson } from './keep.ts'
import { requireMayActOnOwner, requireUnprotected } from './protect.ts'
import { roleOf } from './role.ts'
import { findPerson, type PersonRow } from './row.ts'
import { personOf } from './view.ts'

export type Acting = Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'services' | 'audit' | 'mail' | 'now'>

/**
 * Makes a member what the directory says; a missing attribute stays as it is. Returns the member as they are now. Call
 * it under `lockMembers`.
 */
export async function changePerson(context: Acting, row: PersonRow, wanted: Person): Promise<PersonRow> {
  const { em, tenant, audit } = context
  const before = personOf(row)
  const after = { ...before, ...wanted }
  const role = roleOf(wanted.roles) ?? row.role
  const { active = row.is_active, userName = '' } = after
  if (role === 'owner' && row.role !== 'owner')
    throw wrong('roles', 'cannot make anyone owner: an owner of the team does so')
  if (!isSame(userName, before.userName)) await refuseTaken(em, tenant, { userName, besides: row.id })
  const isRole = role !== row.role
  const isStatus = active !== row.is_active
  if (isRole || isStatus) {
    await requireUnprotected(context, row.id)
    await requireMayActOnOwner(context, row)
    const member = await findMember(em, tenant, row.id)
    if (isRole) await changeRole(context, member, role)
    if (isStatus) await changeStatus(context, member, active ? 'active' : 'disabled')
  }
  // who is deactivated must be so, whatever else is said of them
  if (active) refuseAddress(row, after)
  if (!isSameText(before, after)) {
    await storePerson(em, tenant, row.id, after)
    await rename(context, row, fullNameOf(after))
    audit('member.updated', { type: 'user', id: row.id })
  }
  return findPerson(em, tenant, row.id)
}

const isSame = (one: string | undefined, other: string | undefined) => one?.toLowerCase() === other?.toLowerCase()

const textOf = ({ userName, externalId, displayName, name = {} }: Person) =>
  JSON.stringify([userName, externalId, displayName, name.formatted, name.givenName, name.familyName])
const isSameText = (one: Person, other: Person) => textOf(one) === textOf(other)

/** The address is that of the whole account: the person alone changes it. */
function refuseAddress({ email }: PersonRow, { emails }: Person): void {
  const address = mainOf(emails)
  if (address !== undefined && !isSame(address, email))
    throw scimRefusal('mutability', 'emails cannot be changed here: the person changes the address of the account.')
}

/** The name of an account is one in all teams: a directory changes it where the person is in its team alone. */
async function rename(context: Acting, row: PersonRow, name: string | undefined): Promise<void> {
  if (name === undefined || name === row.name) return
  const { em, now } = context
  const teams = await requireUnprotected(context, row.id)
  if (teams.length > 1) return
  await queries(em).updateTable('users').set({ name, updated_at: now.toISOString() }).where('id', '=', row.id).execute()
}
