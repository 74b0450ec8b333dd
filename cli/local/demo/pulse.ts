import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism, freemem, hostname, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { writePrivately } from '#cli/local/keys.ts'

/** What keeps the demo alive over restarts: jobs that ping, and a server that reports its metrics. */
const Pulse = z.object({
  sites: z.url(),
  pings: z.array(z.url()),
  servers: z.array(z.object({ name: z.string(), token: z.string() })),
})
export type Pulse = z.infer<typeof Pulse>

const fileIn = (dataDir: string) => join(dataDir, 'demo.json')

export const writePulse = (dataDir: string, pulse: Pulse) => writePrivately(fileIn(dataDir), pulse)
export const forgetPulse = (dataDir: string) => rmSync(fileIn(dataDir), { force: true })

/** Undefined where there is no demo. */
export function readPulse(dataDir: string): Pulse | undefined {
  try {
    return Pulse.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')))
  } catch {
    return
  }
}

const everyMs = 60_000

/** Pings and reports once a minute, as long as there is a demo in the data folder. `api`: where it is reached. */
export async function keepAlive(dataDir: string, api: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const pulse = readPulse(dataDir)
    if (pulse) await beat(pulse, api).catch(() => {}) // the next time, then
    await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** One ping of each job and one report of each server. */
export async function beat({ pings, servers }: Pulse, api: string): Promise<void> {
  const { request } = await import('undici')
  const send = async (url: string, options: Parameters<typeof request>[1]) =>
    void (await (await request(url, options)).body.dump())
  for (const ping of pings) await send(`${api}${new URL(ping).pathname}`, { method: 'POST' })
  for (const { name, token } of servers)
    await send(`${api}/api/agent-monitors/metrics`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        batch: randomUUID(),
        host: hostOf(name),
        samples: [{ at: Date.now(), metrics: metrics() }],
      }),
    })
}

const hostOf = (name: string) => ({
  name,
  os: `sample on ${hostname()}`,
  kernel: process.platform,
  arch: process.arch,
  cores: availableParallelism(),
  memory_bytes: totalmem(),
  agent: 'demo',
})

const percent = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 1_000) / 10

function metrics() {
  const [load = 0, load5m = 0, load15m = 0] = loadavg()
  return {
    cpu: percent(load / availableParallelism()),
    memory: percent(1 - freemem() / totalmem()),
    load,
    load_5m: load5m,
    load_15m: load15m,
    disk: { '/': 41.5 },
  }
}
