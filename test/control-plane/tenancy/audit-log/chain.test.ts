import { randomInt, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyTrails } from '#control-plane/tenancy/audit-log/verify.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services
const tamperings = Number(process.env.TAMPERINGS ?? 1_000)
const shop = { name: 'Shop', url: 'https://shop.example.com/' }

let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client({ connectionString: app.stores.ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())

/** A tenant with a trail of so many entries, some of them alike. */
async function aTrail(length: number): Promise<string> {
  const { tenantId } = await given.tenant()
  for (let n = 0; n < length; n++)
    await platform.query(
      `insert into audit_entries (id, tenant_id, user_id, token_id, action, entity_type, entity_id, changes, ip, request_id)
       values ($1, $2, $3, $4, $5, 'monitor', $6, $7, $8, $9)`,
      [
        randomUUID(),
        tenantId,
        randomUUID(),
        n % 5 ? randomUUID() : null,
        n % 3 ? 'monitor.updated' : 'monitor.created',
        randomUUID(),
        n % 4 ? JSON.stringify({ name: { before: `Name ${n}`, after: `Name ${n + 1}` } }) : null,
        n % 6 ? `192.0.2.${n % 256}` : null,
        n % 7 ? `request-${n}` : null,
      ],
    )
  return tenantId
}

const faultsOf = async (tenantId: string) => (await verifyTrails(platform, { tenantId })).faults

describe('the audit trail is a chain', () => {
  test('that holds for what the API writes, through every kind of access and side by side', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 2 ? team.post('/monitors', shop) : reseller.post(`${team.path}/monitors`, shop),
      ),
    )
    const { links, faults } = await verifyTrails(platform, { tenantId: team.tenantId })
    expect(faults).toEqual([])
    expect(links).toBe((await app.audited(team)).length)
    expect(links).toBeGreaterThanOrEqual(12)
  })

  test('what is refused leaves no link', async () => {
    const team = await given.tenant()
    await team.post('/monitors', { ...shop, url: 'no address' })
    expect((await verifyTrails(platform, { tenantId: team.tenantId })).links).toBe(0)
  })

  test('the service cannot edit or delete entries or write links; it can redact personal data', async () => {
    const tenantId = await aTrail(4)
    for (const sql of [
      `update audit_entries set action = 'x' where tenant_id = $1`,
      'delete from audit_entries where tenant_id = $1',
      'delete from audit_links where tenant_id = $1',
      'update audit_heads set seq = 1 where tenant_id = $1',
      `update audit_entries set ip = '192.0.2.77' where tenant_id = $1`,
      `update audit_entries set changes = '{"name":"x"}' where tenant_id = $1`,
    ])
      await expect(platform.query(sql, [tenantId]), sql).rejects.toThrow(/permission denied|never edited/)
    await expect(platform.query('truncate audit_entries cascade')).rejects.toThrow('permission denied')
    expect(await faultsOf(tenantId)).toEqual([])
    await platform.query('update audit_entries set ip = null, request_id = null where tenant_id = $1', [tenantId])
    await platform.query('update audit_entries set changes = null where tenant_id = $1', [tenantId])
    const { faults, links } = await verifyTrails(platform, { tenantId })
    expect(faults).toEqual([])
    expect(links).toBeGreaterThan(4)
    const { rows } = await platform.query(
      'select 1 from audit_links where tenant_id = $1 and coalesce(ip_salt, request_salt, changes_salt) is not null',
      [tenantId],
    )
    expect(rows).toEqual([])
  })

  test('a purged tenant leaves no link', async () => {
    const tenantId = await aTrail(3)
    await platform.query('delete from tenants where id = $1', [tenantId])
    expect(await verifyTrails(platform, { tenantId })).toEqual({ trails: 0, links: 0, faults: [] })
  })
})

describe(`tampering by the database owner is detected, ${tamperings} times of ${tamperings}`, () => {
  const length = 60
  const edits: Record<string, string> = {
    action: `'monitor.deleted2'`,
    entity_type: `'incident'`,
    entity_id: 'gen_random_uuid()',
    user_id: 'gen_random_uuid()',
    impersonator_id: 'gen_random_uuid()',
    token_id: 'gen_random_uuid()',
    created_at: `created_at - interval '1 microsecond'`,
    changes: `coalesce(changes, '{}') || '{"x":1}'`,
    ip: `coalesce(ip, '10.0.0.1') + 1`,
    request_id: `coalesce(request_id, '') || 'x'`,
    id: 'gen_random_uuid()',
  }
  const tricks: Record<string, (tenant: string, at: number, other: number) => [string, unknown[]][]> = {
    edit: (tenant, at) => {
      const [column, value] = Object.entries(edits)[randomInt(Object.keys(edits).length)]!
      return [
        [
          `update audit_entries set ${column} = ${value}
           where id = (select entry_id from audit_links where tenant_id = $1 and seq = $2)`,
          [tenant, at],
        ],
      ]
    },
    'take out unseen': (tenant, at) => [
      [
        `update audit_entries set changes = null where id = (select k.entry_id from audit_links k
         join audit_entries e on e.id = k.entry_id
         where k.tenant_id = $1 and e.changes is not null order by (k.seq + $2) % ${length} limit 1)`,
        [tenant, at],
      ],
    ],
    delete: (tenant, at) => [
      [
        'delete from audit_entries where id = (select entry_id from audit_links where tenant_id = $1 and seq = $2)',
        [tenant, at],
      ],
    ],
    'delete with its link': (tenant, at) => [
      [
        'delete from audit_entries where id = (select entry_id from audit_links where tenant_id = $1 and seq = $2)',
        [tenant, at],
      ],
      ['delete from audit_links where tenant_id = $1 and seq = $2', [tenant, at]],
    ],
    'delete, and close the gap': (tenant, at) => [
      [
        'delete from audit_entries where id = (select entry_id from audit_links where tenant_id = $1 and seq = $2)',
        [tenant, at],
      ],
      ['delete from audit_links where tenant_id = $1 and seq = $2', [tenant, at]],
      ['update audit_links set seq = -seq where tenant_id = $1 and seq > $2', [tenant, at]],
      ['update audit_links set seq = -seq - 1 where tenant_id = $1 and seq < 0', [tenant]],
    ],
    'swap two entries': (tenant, at, other) => [
      [
        `update audit_links k set entry_id = o.entry_id from audit_links o
         where k.tenant_id = $1 and o.tenant_id = $1
           and (k.seq, o.seq) in (($2::bigint, $3::bigint), ($3::bigint, $2::bigint))`,
        [tenant, at, other],
      ],
    ],
    'swap what two did': (tenant, at, other) => [
      [
        `update audit_entries e set user_id = o.user_id from audit_entries o where (e.id, o.id) in (
           select a.entry_id, b.entry_id from audit_links a, audit_links b
           where a.tenant_id = $1 and b.tenant_id = $1
             and (a.seq, b.seq) in (($2::bigint, $3::bigint), ($3::bigint, $2::bigint)))`,
        [tenant, at, other],
      ],
    ],
    'cut the end off': (tenant, at) => [
      [
        'delete from audit_entries where id in (select entry_id from audit_links where tenant_id = $1 and seq >= $2)',
        [tenant, at],
      ],
      ['delete from audit_links where tenant_id = $1 and seq >= $2', [tenant, at]],
    ],
    'cut the beginning off': (tenant, at) => [
      [
        'delete from audit_entries where id in (select entry_id from audit_links where tenant_id = $1 and seq <= $2)',
        [tenant, at],
      ],
      ['delete from audit_links where tenant_id = $1 and seq <= $2', [tenant, at]],
    ],
    add: tenant => [
      [
        `insert into audit_entries (id, tenant_id, action, entity_type) values (gen_random_uuid(), $1, 'monitor.created', 'monitor')`,
        [tenant],
      ],
    ],
  }

  test('edits, deletes, swaps and cuts, each tried alone', { timeout: 180_000 }, async () => {
    const tenantId = await aTrail(length)
    expect(await faultsOf(tenantId)).toEqual([])
    const missed: string[] = []
    const names = Object.keys(tricks)
    // an owner who knows of the triggers goes past them
    await owner.query('set session_replication_role = replica')
    for (let n = 0; n < tamperings; n++) {
      const name = names[n % names.length]!
      const at = randomInt(1, length + 1)
      const other = (at % length) + 1
      await owner.query('begin')
      for (const [sql, values] of tricks[name]!(tenantId, at, other)) await owner.query(sql, values)
      const { faults } = await verifyTrails(owner as unknown as pg.PoolClient, { tenantId })
      if (faults.length === 0) missed.push(`${name} at ${at}`)
      await owner.query('rollback')
    }
    await owner.query('set session_replication_role = origin')
    expect(missed).toEqual([])
    expect(await faultsOf(tenantId)).toEqual([])
  })

  test('a cut end with a rewritten head is detected by a head that was kept elsewhere', async () => {
    const tenantId = await aTrail(10)
    const { rows: heads } = await platform.query(
      `select tenant_id, seq::int as seq, encode(hash, 'hex') as hash from audit_heads where tenant_id = $1`,
      [tenantId],
    )
    await owner.query('begin')
    await owner.query('set local session_replication_role = replica')
    await owner.query(
      'delete from audit_entries where id in (select entry_id from audit_links where tenant_id = $1 and seq > 7)',
      [tenantId],
    )
    await owner.query('delete from audit_links where tenant_id = $1 and seq > 7', [tenantId])
    await owner.query(
      `update audit_heads h set seq = 7, hash = l.hash from audit_links l where l.tenant_id = $1 and l.seq = 7
       and h.tenant_id = $1`,
      [tenantId],
    )
    const client = owner as unknown as pg.PoolClient
    expect((await verifyTrails(client, { tenantId })).faults).toEqual([])
    expect((await verifyTrails(client, { tenantId, heads })).faults).toMatchObject([{ kind: 'rewritten' }])
    await owner.query('rollback')
    expect((await verifyTrails(platform, { tenantId, heads })).faults).toEqual([])
  })
})
