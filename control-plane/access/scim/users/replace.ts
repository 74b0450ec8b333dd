import { lockMembers } from '#control-plane/access/members/seats.ts'
import { readPerson, wrong } from '#control-plane/access/scim/person.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { scim } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { changePerson } from './change.ts'
import { ScimUserInput } from './input.ts'
import { findPerson } from './row.ts'
import { ScimUserView, viewPerson } from './view.ts'

export const replaceScimUser = endpoint({
  method: 'PUT',
  path: '/scim/v2/Users/{user}',
  root: true,
  operation: 'scim.users.replace',
  summary: 'Replace what the directory says of a member',
  description:
    'What is missing of names and `externalId` is removed; `active`, `roles` and `emails` that are missing stay as ' +
    'they are. Who is not active cannot act in the team any more at once.',
  access: 'scim',
  body: ScimUserInput,
  returns: scim(ScimUserView),

  async handle(context) {
    const { em, tenant, params, body, services, ignore } = context
    await lockMembers(em, tenant)
    const row = await findPerson(em, tenant, params.user)
    const ignored: string[] = []
    const person = readPerson(body, ignored)
    ignore(ignored)
    if (person.userName === undefined) throw wrong('userName', 'is missing')
    const whole = { externalId: null, displayName: null, name: {}, ...person }
    return viewPerson(await changePerson(context, row, whole), await keptOriginOf(services, tenant.id))
  },
})
