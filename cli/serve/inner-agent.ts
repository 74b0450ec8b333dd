import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { auditPlaces } from '#cli/local/lighthouse.ts'
import { readConfig } from '#probe-agent/config.ts'
import { type RunningAgent, startAgent } from '#probe-agent/main.ts'

const firstRetryMs = 1_000
const longestRetryMs = 60_000

export interface InnerAgent {
  /** As the agent's own process at its end: sends what it quickly can and leaves the rest on disk. */
  stop(): Promise<void>
}

/**
 * The agent of one region inside the control plane's process, for a machine that watches a few sites: a process less
 * costs 100 MB less. It speaks to the control plane as any agent does, and keeps its results on disk until they are
 * stored. What is lost beside a process of its own: a check that blocks the event loop delays the API as well.
 *
 * Its settings are those of `vedette probe` with AGENT_ before the names that the control plane has a use of its own
 * for: AGENT_REGION, AGENT_DATA_DIR, AGENT_METRICS_PORT.
 */
export function openInnerAgent(url: string, env: NodeJS.ProcessEnv, log: Logger): InnerAgent {
  const config = readConfig({
    ...env,
    ...auditPlaces(env),
    VEDETTE_URL: url,
    REGION: env.AGENT_REGION,
    DATA_DIR: env.AGENT_DATA_DIR,
    METRICS_PORT: env.AGENT_METRICS_PORT,
  })
  const stopping = new AbortController()
  const { signal } = stopping
  const own = log.child({ region: config.region })
  let running: RunningAgent | undefined
  const start = async () => {
    for (let retryMs = firstRetryMs; !signal.aborted; retryMs = Math.min(2 * retryMs, longestRetryMs)) {
      try {
        running = await startAgent(config, { log: own, signal })
        return
      } catch (error) {
        if (signal.aborted) return
        own.error({ err: error, retry_s: retryMs / 1_000 }, 'agent start failure, retrying')
        await sleep(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }
  const started = start()
  return {
    async stop() {
      stopping.abort()
      await started
      await running?.stop()
    },
  }
}
