import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Role } from '#contract/scopes.ts'
import { anonymous, type Caller } from '#control-plane/base/caller.ts'
import type { AccessLookup } from '#control-plane/http/access/lookup.ts'
import { enterManagedTeam, enterReseller } from '#control-plane/http/access/reseller.ts'
import { checkTenantScope, enterTenant } from '#control-plane/http/access/tenant.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { routesOf } from '#control-plane/http/route.ts'

const ids = {
  own: crypto.randomUUID(),
  managed: crypto.randomUUID(),
  foreign: crypto.randomUUID(),
  team: crypto.randomUUID(),
  foreignTeam: crypto.randomUUID(),
}
const tenant = (id: string, isReseller = false) => ({ ...anonymous.tenant, id, isReseller })
const keys: AccessLookup = {
  authenticate: () => Promise.resolve({ caller: anonymous, managed: null }),
  tenant: id => Promise.resolve(Object.values<string>(ids).includes(id) ? tenant(id) : null),
  server: async () => null,
  scim: async () => null,
  managedTeam: id =>
    Promise.resolve(
      id === ids.team
        ? { id, resellerId: ids.own, tenant: tenant(ids.managed) }
        : id === ids.foreignTeam
          ? { id, resellerId: ids.foreign, tenant: tenant(ids.foreign) }
          : null,
    ),
}
const person = (role: Role, isSuperAdmin = false) => ({
  id: crypto.randomUUID(),
  name: '',
  email: 'a@b.test',
  role,
  isSuperAdmin,
  language: 'en',
})
const caller = (own: Partial<Caller>): Caller => ({ ...anonymous, tokenId: 't', tenant: tenant(ids.own), ...own })
/** As the token lookup answers when this is named. */
const naming = (caller: Caller, id: string) => ({
  caller,
  managed: caller.tenant.id === ids.own && id === ids.managed ? tenant(id) : null,
})
const reseller = caller({ kind: 'rk', tenant: tenant(ids.own, true), scopes: ['monitors:read'] })

describe('X-Tenant-Id', () => {
  test('a reseller acts in tenants it manages; unknown and foreign ones are the same 403, no UUID is 400', async () => {
    expect(await enterTenant(keys, naming(reseller, ids.managed), ids.managed)).toMatchObject({
      tenant: { id: ids.managed },
      isNamed: true,
    })
    const refusals = await Promise.all(
      [ids.foreign, crypto.randomUUID()].map(id =>
        enterTenant(keys, naming(reseller, id), id).catch(error => JSON.stringify(error)),
      ),
    )
    expect(refusals[0]).toBe(refusals[1])
    await expect(enterTenant(keys, naming(reseller, ids.foreign), ids.foreign)).rejects.toMatchObject({ status: 403 })
    for (const bad of ['', 'not-a-uuid', `${ids.managed}x`, `{${ids.managed}}`, `${ids.managed}, ${ids.managed}`])
      await expect(enterTenant(keys, naming(reseller, bad), bad)).rejects.toMatchObject({ status: 400 })
  })

  test('an operator acts in any tenant', async () => {
    const operator = caller({ kind: 'ss', user: person('owner', true) })
    expect(await enterTenant(keys, naming(operator, ids.foreign), ids.foreign)).toMatchObject({
      tenant: { id: ids.foreign },
    })
    await expect(enterTenant(keys, naming(operator, crypto.randomUUID()), crypto.randomUUID())).rejects.toMatchObject({
      status: 403,
    })
  })

  test('the header of any other caller is ignored', async () => {
    for (const other of [
      caller({ kind: 'ss', user: person('admin') }),
      caller({ kind: 'sk' }),
      caller({ kind: 'ik', tenant: tenant(ids.own, true) }),
    ])
      for (const header of [ids.managed, 'garbage'])
        expect(await enterTenant(keys, naming(other, header), header)).toMatchObject({
          tenant: { id: ids.own },
          isNamed: false,
        })
  })
})

test('each kind of token has its rights in a tenant', () => {
  const may = (
    who: Partial<Caller>,
    need: 'monitors:read' | 'monitors:write' | 'team:write',
    resellerScope?: 'monitors:read' | 'monitors:write',
  ) => {
    try {
      checkTenantScope(caller(who), { tenant: need, ...(resellerScope && { reseller: resellerScope }) })
      return true
    } catch (error) {
      expect(error).toMatchObject({ status: 403 })
      return false
    }
  }
  expect(may({ kind: 'ss', user: person('viewer') }, 'monitors:read')).toBe(true)
  expect(may({ kind: 'ss', user: person('viewer') }, 'monitors:write')).toBe(false)
  expect(may({ kind: 'ss', user: person('member') }, 'monitors:write')).toBe(true)
  expect(may({ kind: 'ss', user: person('member') }, 'team:write')).toBe(false)
  expect(may({ kind: 'ss', user: person('admin') }, 'team:write')).toBe(true)
  expect(may({ kind: 'sk', scopes: ['monitors:manage'] }, 'monitors:write')).toBe(true)
  expect(may({ kind: 'sk', scopes: ['checks:manage'] }, 'monitors:write')).toBe(false)
  expect(may({ kind: 'ik', scopes: ['read'] }, 'monitors:write')).toBe(false)
  expect(may({ kind: 'ik', scopes: ['write'] }, 'monitors:write')).toBe(true)
  expect(may({ kind: 'rk', scopes: ['monitors:manage'] }, 'monitors:write')).toBe(false)
  expect(may({ kind: 'rk', scopes: ['monitors:manage'] }, 'monitors:write', 'monitors:write')).toBe(true)
})

test('reseller endpoints accept only reseller tokens of resellers with the scope', () => {
  expect(() => enterReseller(reseller, 'monitors:read')).not.toThrow()
  for (const kind of ['ss', 'sk', 'svc', 'ik'] as const)
    expect(() => enterReseller({ ...reseller, kind, scopes: ['monitors:manage'] }, 'monitors:read')).toThrow(
      'reseller token',
    )
  expect(() => enterReseller({ ...reseller, tenant: tenant(ids.own) }, 'monitors:read')).toThrow('not a reseller')
  expect(() => enterReseller(reseller, 'monitors:write')).toThrow('monitors:write')
})

test('a managed team is found by id; an unknown one is 404, one of another reseller 403', async () => {
  expect(await enterManagedTeam(keys, { caller: reseller, managed: tenant(ids.managed) }, ids.team)).toMatchObject({
    id: ids.managed,
  })
  expect(await enterManagedTeam(keys, { caller: reseller, managed: null }, ids.team)).toMatchObject({ id: ids.managed })
  for (const unknown of [crypto.randomUUID(), 'x', '../', ids.managed])
    await expect(enterManagedTeam(keys, { caller: reseller, managed: null }, unknown)).rejects.toMatchObject({
      status: 404,
    })
  await expect(enterManagedTeam(keys, { caller: reseller, managed: null }, ids.foreignTeam)).rejects.toMatchObject({
    status: 403,
  })
})

test('an endpoint with two scopes has two routes', () => {
  const declared = endpoint({
    method: 'GET',
    path: '/monitors/{monitor}',
    summary: 'x',
    access: { tenant: 'monitors:read', reseller: 'monitors:read' },
    returns: ok({ data: z.string() }),
    handle: () => ({ data: '' }),
  })
  expect(routesOf(declared).map(({ path, guard }) => [path, guard])).toEqual([
    ['/api/v1/monitors/{monitor}', 'tenant'],
    ['/api/v1/reseller/managed-teams/{managed_team}/monitors/{monitor}', 'managed-team'],
  ])
})
