import { type RawBuilder, sql } from 'kysely'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { EventName, Payload, WarningName } from '#contract/events.ts'
import { SideEffects } from '#control-plane/base/side-effects.ts'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { insertAuditSql } from '#control-plane/outbox/audit.ts'
import { type EmittedEvent, insertEventsSql, insertWorkflowsSql } from '#control-plane/outbox/emit.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'

const id = '5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11'
const monitor = { monitor_id: id, monitor_name: 'Shop', monitor_url: 'https://shop.example.com/' }
const flat = (statement: RawBuilder<unknown>) => sqlTextOf(statement).replaceAll('"', '').replace(/\s+/g, ' ').trim()

describe('the payload of an event', () => {
  test('has the fields of its schema, the optional ones included, and no others', () => {
    expectTypeOf<Payload<'monitor.created'>>().toEqualTypeOf<{
      monitor_id: string
      monitor_name: string
      monitor_url: string
    }>()
    expectTypeOf<Payload<'team.paused'>['tenant_name']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Payload<'invitation.created'>['role']>().toEqualTypeOf<string>()
    expectTypeOf<WarningName>().toExtend<EventName>()
  })

  test('does not compile in a handler where a field is missing, misspelt, unknown or of another type', () => {
    const { emit } = new SideEffects()
    expectTypeOf(emit).toEqualTypeOf<RequestContext['emit']>()
    emit('monitor.created', monitor)
    emit('team.unpaused', { managed_team_id: id, tenant_id: id, tenant_name: 'Acme' }, 'reseller')
    // @ts-expect-error a field is missing
    emit('monitor.created', { monitor_id: id, monitor_name: 'Shop' })
    // @ts-expect-error a field is misspelt
    emit('monitor.created', { monitor_id: id, monitor_name: 'Shop', monitor_uri: 'https://shop.example.com/' })
    // @ts-expect-error a field is unknown
    emit('monitor.created', { ...monitor, more: 1 })
    // @ts-expect-error a field has another type
    emit('monitor.created', { ...monitor, monitor_name: 1 })
    // @ts-expect-error an optional field has another type
    emit('team.unpaused', { managed_team_id: id, tenant_id: id, tenant_name: 1 })
    // @ts-expect-error there is no such event
    emit('monitor.founded', monitor)
  })

  test('does not compile in a job where a field is missing or belongs to another event', () => {
    const right: EmittedEvent = {
      tenantId: id,
      name: 'member.added',
      payload: { tenant_id: id, user_id: id, role: 'member' },
    }
    expect(right.name).toBe('member.added')
    // @ts-expect-error a field is missing
    const missing: EmittedEvent = { tenantId: id, name: 'member.added', payload: { tenant_id: id, user_id: id } }
    // @ts-expect-error the payload is another event's
    const other: EmittedEvent = { tenantId: id, name: 'member.added', payload: monitor }
    expect([missing, other]).toHaveLength(2)
  })

  test('does not compile in a statement where a field is missing or unknown', () => {
    const parts = { name: 'member.added' as const, tenant: 'tenant_id', from: sql`from moved` }
    // @ts-expect-error a field is missing
    insertEventsSql({ ...parts, payload: { tenant_id: 'tenant_id', user_id: 'user_id' } })
    // @ts-expect-error a field is unknown
    insertEventsSql({ ...parts, payload: { tenant_id: 'tenant_id', user_id: 'user_id', role: 'role', more: 'more' } })
    // @ts-expect-error of a name that a row has, the possible names are missing
    insertEventsSql({ nameSql: 'w.event', tenant: 'w.tenant_id', payload: { monitor_id: 'm.id' }, from: sql`from w` })
  })
})

test('a start of a workflow does not compile without a field of its input', () => {
  const parts = { workflow: 'deliveryRetry' as const, tenant: 'tenant_id', id: 'id', from: sql`from settled` }
  // @ts-expect-error a field is missing
  insertWorkflowsSql({ ...parts, input: { tenantId: 'tenant_id' } })
  expectTypeOf<RequestContext['start']>().toBeCallableWith('trial', id, { teamId: id, tenantId: id, endsAtMs: 1 })
})

describe('the text of an insert', () => {
  test('emits one event for each row, with its suppression', () => {
    const payload = { tenant_id: 'm.tenant_id', user_id: 'm.user_id', role: 'm.role' }
    const text = insertEventsSql({
      name: 'member.added',
      tenant: 'm.tenant_id',
      payload,
      suppression: 'm.suppression',
      from: sql`from moved m order by m.user_id`,
    })
    expect(flat(text)).toBe(
      `insert into outbox (tenant_id, kind, name, payload, suppression) select m.tenant_id, 'event', 'member.added', ` +
        `jsonb_build_object('tenant_id', m.tenant_id, 'user_id', m.user_id, 'role', m.role), m.suppression ` +
        'from moved m order by m.user_id returning id, payload',
    )
  })

  test('adds fields to a payload that a row has', () => {
    const text = insertEventsSql<'dns.records_changed'>({
      nameSql: 'a.event',
      tenant: 'a.tenant_id',
      rest: 'a.payload',
      payload: { monitor_id: 'm.id' },
      from: sql`from asked a`,
    })
    expect(flat(text)).toBe(
      `insert into outbox (tenant_id, kind, name, payload) select a.tenant_id, 'event', a.event, ` +
        `a.payload || jsonb_build_object('monitor_id', m.id) from asked a returning id, payload`,
    )
  })

  test('marks a mail as personal', () => {
    const data = { team_name: 't.name', host: sql`$1`, reason: sql`$2`, occurred_at: sql`$3` }
    const text = insertMailsSql({ type: 'smtp_fell_back', tenant: 't.id', data, from: sql`from tenants t, users u` })
    expect(flat(text)).toContain(
      `(tenant_id, kind, name, payload, is_personal) select t.id, 'mail', 'smtp_fell_back', `,
    )
    expect(flat(text)).toContain(', true from tenants t, users u returning id')
  })

  test('enters only the given parts of an audit entry', () => {
    const entry = { tenant: 't.id', action: 'managed_tenant.purged', type: 'managed_tenant' as const, entity: sql`$2` }
    expect(flat(insertAuditSql({ ...entry, changes: sql`$3`, from: sql`from tenants t` }))).toBe(
      'insert into audit_entries (id, tenant_id, action, entity_type, entity_id, created_at, changes) ' +
        `select gen_random_uuid(), t.id, 'managed_tenant.purged', 'managed_tenant', $2, clock_timestamp(), $3 ` +
        'from tenants t',
    )
  })
})
