import type { Logger } from 'pino'
import { agentPaths, Owners } from '#contract/agent.ts'
import { isSecureUrl } from '#contract/secure-url.ts'
import { pause } from './backoff.ts'
import type { KeptOwners } from './kept-owners.ts'
import { AgentRefused, type Link, messageOf, ProtocolNotSpoken } from './link.ts'

export interface OwnerDirectoryOptions {
  /** To the address that the agent was given. */
  link: Pick<Link, 'get'>
  url: string
  /** To the owners that are known, which are asked while that address does not answer. */
  others: () => readonly Pick<Link, 'get'>[]
  kept: Pick<KeptOwners, 'read' | 'write'>
  /** Whether the address of an owner may be unencrypted. */
  mayBeInsecure: boolean
  log: Logger
  /** Called with the addresses of all owners, at least one, each time they are known. */
  onOwners: (urls: readonly string[]) => void
}

const everyMs = 2_000
/** Where one process decides on everything: it says so when it ends the stream. */
const aloneMs = 30_000
/** Requests that are asked for are at least this far apart. */
const leastMs = 200
const timeoutMs = 5_000
const refusedMs = 10_000

/**
 * Asks the control plane which of its processes own shards. A control plane that lists none, or does not know the
 * question, is one owner itself. While the given address does not answer, the known owners are asked, at a start those
 * of the last list; while none does, the owners stay as they are.
 */
export class OwnerDirectory {
  readonly #options: OwnerDirectoryOptions
  #isDue = false
  #isFailing = false
  #areKnown = false
  #wake = new AbortController()

  constructor(options: OwnerDirectoryOptions) {
    this.#options = options
  }

  /** Asks soon: the owners may have changed. */
  ask() {
    this.#isDue = true
    this.#wake.abort()
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal) {
    while (!signal.aborted) {
      this.#isDue = false
      this.#wake = new AbortController()
      const waitMs = await this.#askOnce(signal)
      await pause(leastMs, signal)
      if (this.#isDue || signal.aborted) continue
      await pause(waitMs - leastMs, AbortSignal.any([signal, this.#wake.signal]))
    }
  }

  /** Returns how long to wait until the next request. */
  async #askOnce(signal: AbortSignal): Promise<number> {
    const { onOwners, log } = this.#options
    try {
      const urls = await this.#read(signal)
      if (signal.aborted) return everyMs
      onOwners(urls.length === 0 ? [this.#options.url] : this.#admissible(urls))
      this.#areKnown = true
      this.#isFailing = false
      await this.#options.kept
        .write(urls)
        .catch(error => log.warn({ reason: messageOf(error) }, 'owner list not written'))
      if (urls.length === 0) return aloneMs
    } catch (error) {
      if (signal.aborted) return everyMs
      if (error instanceof AgentRefused && !(error instanceof ProtocolNotSpoken)) {
        log.error(error.message)
        return refusedMs
      }
      // the link has logged a refused protocol once
      const isLogged = this.#isFailing || error instanceof ProtocolNotSpoken
      log[isLogged ? 'debug' : 'warn']({ reason: messageOf(error) }, 'owner directory failure')
      this.#isFailing = true
      if (!this.#areKnown) await this.#beginWithKept()
    }
    return everyMs
  }

  async #beginWithKept() {
    this.#areKnown = true
    const urls = await this.#options.kept.read()
    if (urls.length === 0) return
    try {
      this.#options.onOwners(this.#admissible([...urls]))
      this.ask()
    } catch (error) {
      this.#options.log.warn({ reason: messageOf(error) }, 'owner directory failure')
    }
  }

  /** The listed addresses; none: there is one owner. */
  async #read(signal: AbortSignal): Promise<string[]> {
    const { link, others } = this.#options
    try {
      return await listAt(link, signal)
    } catch (error) {
      if (signal.aborted || error instanceof AgentRefused) throw error
      for (const other of others()) {
        const urls = await listAt(other, signal).catch(() => [])
        // that there is but one owner is for the given address to say
        if (urls.length > 0) return urls
      }
      throw error
    }
  }

  #admissible(urls: string[]): string[] {
    const { mayBeInsecure } = this.#options
    const admissible = new Set(urls.filter(url => isSecureUrl(url) || (mayBeInsecure && /^http:/i.test(url))))
    const others = urls.filter(url => !admissible.has(url))
    if (others.length > 0)
      throw new Error(
        `The control plane lists ${others[0]}, which would receive tokens and secrets unencrypted: have it list ` +
          'https:// addresses, or set ALLOW_INSECURE_URL=1 on a network you trust.',
      )
    return [...admissible]
  }
}

async function listAt(link: Pick<Link, 'get'>, signal: AbortSignal): Promise<string[]> {
  const { status, body } = await link.get(agentPaths.owners, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
  if (status === 404) return []
  if (status !== 200) throw new Error(`Status ${status}.`)
  return Owners.parse(body).owners.map(({ url }) => url.replace(/\/+$/, ''))
}
