import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type pg from 'pg'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'

export const aTenant = (platform: pg.Pool): Promise<string> =>
  createTenant(platform, {
    name: 'Team',
    slug: `t-${randomUUID()}`,
    plan: 'pro',
    featureOverrides: { min_check_interval: 1, monitors: null },
    isReseller: false,
  })

export interface NewMonitor {
  tenant: string
  url: string
  interval: number
  timeout: number
}

/** Monitors with an uptime check each, run from all regions; answers their ids in the same order. */
export async function addMonitors(platform: pg.Pool, monitors: readonly NewMonitor[]): Promise<string[]> {
  const ids = monitors.map(() => randomUUID())
  for (let first = 0; first < monitors.length; first += 1_000) {
    const rows = monitors.slice(first, first + 1_000).map((monitor, n) => ({ id: ids[first + n], ...monitor }))
    await platform.query(
      `with given as (
         select * from json_to_recordset($1::json) as r(id uuid, tenant uuid, url text, interval int, timeout int)
       ), made as (
         insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy,
           confirmations, recovery_confirmations)
         select id, tenant, 'Site', url, 'website', interval, timeout, '{"mode":"majority","count":null}', 2, 2
           from given returning id, tenant_id
       )
       insert into checks (id, tenant_id, monitor_id, type, settings, severity)
       select gen_random_uuid(), m.tenant_id, m.id, 'uptime', jsonb_build_object('timeout_ms', g.timeout * 1000),
         'critical'
       from made m join given g on g.id = m.id`,
      [JSON.stringify(rows)],
    )
  }
  return ids
}

/** The hog's host, in a process of its own. */
export async function startHog(mood: string): Promise<{ port: number; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'hog.ts')], {
    env: { ...process.env, HOG_MOOD: mood },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout!, 'data')
  return {
    port: Number(String(port).trim()),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
