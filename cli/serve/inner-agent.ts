import type { Logger } from 'pino'
import { auditPlaces } from '#cli/local/lighthouse.ts'
import { Backoff } from '#probe-agent/backoff.ts'
import { readConfig } from '#probe-agent/config.ts'
import { type RunningAgent, startAgent } from '#probe-agent/main.ts'

const retryMs = { first: 1_000, longest: 60_000 }
const prefix = 'AGENT_'

export interface InnerAgent {
  /** As the agent's own process at its end: sends what it quickly can and leaves the rest on disk. */
  stop(): Promise<void>
}

/**
 * The agent of one region inside the control plane's process, for a machine that watches a few sites: a process less
 * costs 100 MB less. It speaks to the control plane as any agent does, and keeps its results on disk until they are
 * stored. What is lost beside a process of its own: a check that blocks the event loop delays the API as well.
 *
 * Its settings are those of `vedette probe`. With AGENT_ before its name a setting is the agent's alone, such as
 * AGENT_DATA_DIR and AGENT_METRICS_PORT, which the control plane has for itself as well.
 */
export function openInnerAgent(url: string, env: NodeJS.ProcessEnv, log: Logger): InnerAgent {
  const own = Object.entries(env).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
  )
  const config = readConfig({ ...env, ...auditPlaces(env), ...Object.fromEntries(own), VEDETTE_URL: url })
  const stopping = new AbortController()
  const { signal } = stopping
  const agentLog = log.child({ region: config.region })
  const start = async (): Promise<RunningAgent | undefined> => {
    for (const backoff = new Backoff(retryMs.first, retryMs.longest); !signal.aborted; await backoff.wait(signal))
      try {
        return await startAgent(config, { log: agentLog, signal })
      } catch (error) {
        if (!signal.aborted) agentLog.error({ err: error }, 'agent start failure, retrying')
      }
    return undefined
  }
  const started = start()
  return {
    async stop() {
      stopping.abort()
      await (await started)?.stop()
    },
  }
}
