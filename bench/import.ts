import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createLog } from '#cli/serve/log.ts'
import { createServices } from '#cli/serve/services.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { advanceMigration } from '#control-plane/importing/advance.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { configOn } from '#test/support/config.ts'
import { keyring, type Stores, withApi } from './api.ts'
import { claim, median, quantile, round } from './figures.ts'
import { ask } from './read/load.ts'

/**
 * A file of Uptime Kuma with 10,000 monitors: the time from its preview to its last monitor, by this process as the
 * worker, and what the API needs meanwhile, a process of its own that shares both cores with it and the stores.
 */
const monitors = Number(process.env.IMPORT_MONITORS ?? 10_000)

await withApi('import', seed, async ({ port, ...stores }, { tenantId, token }) => {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await ask({ port, method, path: `/api/v1${path}`, token, ...(body !== undefined && { body }) })
    if (answer.status > 201) throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
    return JSON.parse(answer.text).data
  }
  const config = configOn(stores, keyring)
  const services = createServices(config, createLog('error'))
  const orm = await openOrm(config)
  const advance = (id: string) => advanceMigration({ services, em: orm.em }, id)
  try {
    const { id } = await call('POST', '/migrations', { provider: 'uptime-kuma' })
    const sent = await fetch(`http://127.0.0.1:${port}/api/v1/migrations/${id}/file`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' },
      body: new Uint8Array(kumaFile()),
    })
    if (!sent.ok) throw new Error(`the file was answered ${sent.status}: ${await sent.text()}`)
    const times: number[] = []
    let [isOver, most] = [false, 0]
    const measuring = (async () => {
      for (let n = 0; !isOver; n++) {
        const path = n % 2 === 0 ? '/api/v1/monitors?per_page=50' : '/api/v1/dashboard/stats'
        times.push((await ask({ port, path, token })).ms)
        most = Math.max(most, process.memoryUsage().rss)
        await sleep(50)
      }
    })()
    global.gc?.()
    const before = process.memoryUsage().rss
    const began = performance.now()
    await advance(id)
    const previewed = performance.now()
    const { state, counts, failure } = await call('GET', `/migrations/${id}`)
    if (state !== 'previewed') throw new Error(`the preview failed: ${failure}`)
    await call('POST', `/migrations/${id}/import`, {})
    await advance(id)
    const ended = performance.now()
    isOver = true
    await measuring
    const { rows } = await services.platform.query(
      'select count(*)::int as made, count(distinct url)::int as different from monitors where tenant_id = $1',
      [tenantId],
    )
    console.log(
      `      preview ${round(previewed - began)} ms, ${counts.create} to create; made ${JSON.stringify(rows[0])}`,
    )
    claim('monitors that were made', rows[0].different, 'at least', monitors)
    claim(`${monitors} monitors from preview to import`, (ended - began) / 1_000, 'under', 60, ' s')
    claim('requests to the API meanwhile, p99', quantile(times, 0.99), 'under', 100, ' ms')
    console.log(`      ${times.length} requests, median ${round(median(times))} ms`)
    claim('memory that the worker took for it', (most - before) / 1_048_576, 'under', 200, ' MB')
  } finally {
    await orm.close()
    await services.platform.end()
    await services.clickhouse.close()
  }
})

/** A database with the columns of Uptime Kuma that are read of most monitors. */
function kumaFile(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-'))
  try {
    const database = new DatabaseSync(join(folder, 'kuma.db'))
    database.exec(`
      create table monitor (id integer primary key, name varchar(150), active boolean default 1, interval integer,
        url text, type varchar(20), hostname varchar(255), port integer, keyword varchar(255), maxretries integer,
        accepted_statuscodes_json text default '["200-299"]', method text default 'GET', headers text, parent integer,
        description text, timeout double default 48);
      begin;
      insert into monitor (id, name, type) values (1, 'Shops', 'group');`)
    const add = database.prepare(`
      insert into monitor (id, name, type, interval, url, hostname, port, maxretries, headers, parent, description)
      values (?, ?, ?, 60, ?, ?, ?, 2, '{"X-Team":"ops"}', 1, 'Runs the shop.')`)
    for (let n = 0; n < monitors; n++) {
      const host = `s${n}.example.com`
      if (n % 5 === 4) add.run(n + 2, `Port ${n}`, 'port', null, host, 443)
      else add.run(n + 2, `Site ${n}`, 'http', `https://${host}/`, null, null)
    }
    database.exec('commit')
    database.close()
    return readFileSync(join(folder, 'kuma.db'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function seed({ platformUrl }: Stores): Promise<{ tenantId: string; token: string }> {
  const platform = new pg.Pool({ connectionString: platformUrl, max: 1 })
  try {
    const featureOverrides = { monitors: 2 * monitors }
    const tenantId = await createTenant(platform, { name: 'Mover', slug: 'mover', plan: 'pro', featureOverrides })
    const { plain } = await createToken(platform, {
      kind: 'svc',
      tenantId,
      userId: null,
      name: 'bench',
      scopes: ['monitors:read', 'monitors:write', 'dashboard:read'],
      expiresAt: null,
    })
    return { tenantId, token: plain }
  } finally {
    await platform.end()
  }
}
