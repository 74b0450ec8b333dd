import type { IncomingMessage } from 'node:http'
import { agentHeaders, agentProtocol, isSpoken } from '#contract/agent.ts'
import { build } from '#contract/version.ts'
import { Refusal } from '#control-plane/base/refusal.ts'

/** What an agent says of itself in each request. */
export interface AgentProtocol {
  protocol: number
  /** Of its program; null where it does not say. */
  version: string | null
}

/** One that a request has no business to be is none that is spoken. */
const unreadable = 0

/** Protocol 1 had no headers and is otherwise as 2: an agent that says nothing is served as one of 2. */
export function protocolOf({ headers }: Pick<IncomingMessage, 'headers'>): AgentProtocol {
  const said = headers[agentHeaders.protocol]
  const version = headers[agentHeaders.version]
  return {
    protocol: said === undefined ? 2 : /^\d{1,6}$/.test(String(said)) ? Number(said) : unreadable,
    version: typeof version === 'string' && /^[\w.+-]{1,40}$/.test(version) ? version : null,
  }
}

/** Whether it is answered when its results are decided on, and again when they are stored. */
export const acknowledgesTwice = ({ protocol }: AgentProtocol): boolean => protocol >= 3

export type WhyNotSpoken = 'too_old' | 'too_new'

/** Null: this protocol is spoken. */
export function whyNotSpoken(protocol: number): WhyNotSpoken | null {
  if (isSpoken(protocol)) return null
  return protocol < agentProtocol.previous ? 'too_old' : 'too_new'
}

const { previous, present } = agentProtocol

/** One sentence: what is spoken, and which of the two must be upgraded. */
export function protocolRefusalText({ protocol, version }: AgentProtocol): string {
  const agent = version === null ? 'The agent' : `The agent (version ${version})`
  const spoken = `this control plane (version ${build}) speaks ${previous} and ${present}`
  const mend =
    whyNotSpoken(protocol) === 'too_old'
      ? 'the agent is too old: upgrade it to the version of the control plane.'
      : 'the agent is too new: upgrade the control plane first.'
  return `${agent} speaks protocol ${protocol}, ${spoken}; ${mend}`
}

/** Seconds until an agent that is refused asks again: nothing changes before one of the two is upgraded. */
const retryAfterS = 60

export const protocolRefusal = (agent: AgentProtocol): Refusal =>
  new Refusal(426, 'protocol_not_spoken', protocolRefusalText(agent), {
    headers: { 'Retry-After': String(retryAfterS) },
    details: { protocol: agent.protocol, oldest_spoken: previous, newest_spoken: present },
  })
