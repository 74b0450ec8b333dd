import { agentPaths } from '#contract/agent.ts'
import { RunFailure } from '#contract/check.ts'
import { FindingsReply } from '#contract/crawl.ts'
import type { Link } from './link.ts'

/** Asks the control plane what it knows of a check. That it cannot be asked says nothing of the target, whatever the reason. */
export const askFindings = (link: Pick<Link, 'post'>) => async (check: string, signal: AbortSignal) => {
  try {
    const reply = await link.post(agentPaths.findings, Buffer.from(JSON.stringify({ check })), {}, signal)
    return FindingsReply.parse(reply.body).seen
  } catch (cause) {
    throw new RunFailure('internal', 'request', 'The control plane could not be asked.', { cause })
  }
}
