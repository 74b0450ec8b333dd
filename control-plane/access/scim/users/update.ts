import { lockMembers } from '#control-plane/access/members/seats.ts'
import { patchPerson } from '#control-plane/access/scim/patch.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { scim } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { changePerson } from './change.ts'
import { ScimPatch } from './input.ts'
import { findPerson } from './row.ts'
import { personOf, ScimUserView, viewPerson } from './view.ts'

export const updateScimUser = endpoint({
  method: 'PATCH',
  path: '/scim/v2/Users/{user}',
  root: true,
  operation: 'scim.users.update',
  summary: 'Change a member of the directory',
  description:
    'What the directory says of a member, and whether they are active. ' +
    'With `active: false` the person’s sessions in the team end at once and their keys are refused, until the person ' +
    'is activated again.',
  access: 'scim',
  body: ScimPatch,
  returns: scim(ScimUserView),

  async handle(context) {
    const { em, tenant, params, body, services, ignore } = context
    await lockMembers(em, tenant)
    const row = await findPerson(em, tenant, params.user)
    const ignored: string[] = []
    const person = patchPerson(personOf(row), body, ignored)
    ignore(ignored)
    return viewPerson(await changePerson(context, row, person), await keptOriginOf(services, tenant.id))
  },
})
