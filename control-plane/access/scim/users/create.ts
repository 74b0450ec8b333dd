import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { reserveSeat } from '#control-plane/access/members/seats.ts'
import { setMemberStatus } from '#control-plane/access/members/status.ts'
import { fullNameOf, mainOf, type Person, readPerson, wrong } from '#control-plane/access/scim/person.ts'
import { notInPlan } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { scim } from '#control-plane/http/reply.ts'
import { scimRefusal } from '#control-plane/http/scim-error.ts'
import { verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { domainOf } from '#control-plane/identity/sso/person.ts'
import { addPerson } from '#control-plane/identity/users/add-person.ts'
import { email } from '#control-plane/identity/users/input.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { ScimUserInput } from './input.ts'
import { refuseTaken, storePerson } from './keep.ts'
import { requireUnprotected } from './protect.ts'
import { defaultRole, roleOf } from './role.ts'
import { findPerson } from './row.ts'
import { ScimUserView, viewPerson } from './view.ts'

export const createScimUser = endpoint({
  method: 'POST',
  path: '/scim/v2/Users',
  root: true,
  operation: 'scim.users.create',
  summary: 'Provision a member of the team',
  description:
    'Takes a seat of the plan. The address is the primary one of `emails`, else the user name; a link is mailed to ' +
    'it that proves it. Without `roles` the person is a member; no person is made owner. Addresses of a domain that ' +
    'the team has not proven count as asked (`GET /mail-budget`).',
  access: 'scim',
  body: ScimUserInput,
  returns: scim(ScimUserView, 201),
  responseHeaders: { Location: z.string().meta({ description: 'The address of the person’s record.' }) },

  async handle(context) {
    const { body, em, tenant, services, audit, emit, setHeader, ignore } = context
    const { plan, limits } = await planNow(em, tenant.id)
    if (!limits.sso) throw notInPlan('sso', plan, 'The plan does not include single sign-on and provisioning.')
    const ignored: string[] = []
    const person = readPerson(body, ignored)
    ignore(ignored)
    const { userName } = person
    if (userName === undefined) throw wrong('userName', 'is missing')
    const role = roleOf(person.roles) ?? defaultRole
    if (role === 'owner') throw wrong('roles', 'cannot make anyone owner: an owner of the team does so')
    const address = addressOf(person)
    await reserveSeat(context)
    await refuseTaken(em, tenant, { userName, email: address })
    const id = await addNew(context, { name: fullNameOf(person) ?? userName, email: address, role })
    await storePerson(em, tenant, id, person)
    audit('member.added', { type: 'user', id }, { role })
    emit('member.added', { tenant_id: tenant.id, user_id: id, role })
    if (person.active === false) {
      await setMemberStatus(em, { tenantId: tenant.id, userId: id, status: 'disabled' })
      audit('member.disabled', { type: 'user', id }, { status: { before: 'active', after: 'disabled' } })
    }
    const view = viewPerson(await findPerson(em, tenant, id), await keptOriginOf(services, tenant.id))
    setHeader('Location', view.meta.location)
    return view
  },
})

function addressOf({ emails, userName }: Person): string {
  const read = email.safeParse(mainOf(emails) ?? userName)
  if (read.success) return read.data
  throw wrong('emails', 'must have an e-mail address, as userName is none')
}

type Adding = Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'services' | 'mail' | 'now'>

/**
 * Makes a person a member: a new account, or one that has proven the address, if the team has proven the domain of it.
 * Any other account joins by invitation alone.
 */
async function addNew(
  context: Adding,
  person: { name: string; email: string; role: 'admin' | 'member' | 'viewer' },
): Promise<string> {
  const { em, services, tenant } = context
  const known = await verifiedAccountOf(services.platform, person.email)
  const isDomainProven = await hasDomainOf(em, tenant, person.email)
  if (known === null) {
    const added = { ...person, password: null, team: tenant, isFromDirectory: true, isDomainProven }
    return addPerson(context, added, 'emails')
  }
  if (!isDomainProven)
    throw scimRefusal(
      'uniqueness',
      'This address has an account: verify its domain at /sso/domains, or invite the person.',
    )
  await requireUnprotected(context, known)
  await queries(em)
    .insertInto('memberships')
    .values({ user_id: known, tenant_id: tenant.id, role: person.role })
    .execute()
  return known
}

/** Whether a team has proven the e-mail domain of an address. */
async function hasDomainOf(em: EntityManager, tenant: { id: string }, address: string): Promise<boolean> {
  const proven = await queries(em)
    .selectFrom('sso_domains')
    .where('tenant_id', '=', tenant.id)
    .where('domain', '=', domainOf(address))
    .where('verified_at', 'is not', null)
    .select('id')
    .executeTakeFirst()
  return proven !== undefined
}
