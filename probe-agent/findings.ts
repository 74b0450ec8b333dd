import { agentPaths } from '#contract/agent.ts'
import { RunFailure } from '#contract/check.ts'
import { FindingsReply } from '#contract/crawl.ts'
import type { Link } from './link.ts'

/**
 * Fetches the findings that the control plane keeps for a check. A failure is the agent's fault, whatever its cause.
 * `linkOf`: to the owner of the check, if there is one.
 */
export const fetchFindings =
  (linkOf: (check: string) => Pick<Link, 'post'> | undefined) => async (check: string, signal: AbortSignal) => {
    try {
      const link = linkOf(check)
      if (!link) throw new Error('No process of the control plane owns the check.')
      const reply = await link.post(agentPaths.findings, Buffer.from(JSON.stringify({ check })), {}, signal)
      return FindingsReply.parse(reply.body).seen
    } catch (cause) {
      throw new RunFailure('internal', 'request', 'The control plane could not be reached.', { cause })
    }
  }
