import { follow, textOfPage } from '#checks/http/get.ts'
import type { Reach } from '#checks/probe.ts'
import { RunFailure } from '#contract/check.ts'
import { connectFailure } from '#egress/failures.ts'
import type { RegistryMemory } from './memory.ts'
import { readRdap, retryAfterMs } from './rdap.ts'
import type { Registration } from './registration.ts'
import { readReferral, readWhois, type WhoisAnswer, whoisQuestion } from './whois.ts'

const maxRdapBytes = 500_000
const maxWhoisBytes = 100_000
const hourMs = 3_600_000

export type Asked =
  | { code: 'found'; registration: Registration; server: string }
  | { code: 'absent'; server: string }
  | { code: 'failed'; problem: string }
  /** Not found, by a server that may no longer be one of RDAP at all: worth something only where another says so too. */
  | { code: 'doubtful'; problem: string }
  /** There is nobody to ask. */
  | { code: 'nobody' }

const failed = (problem: string): Asked => ({ code: 'failed', problem })

/** Asks the RDAP servers of a domain, one after the other, until one of them knows. */
export async function askRdap(
  domain: string,
  urls: readonly string[],
  memory: RegistryMemory,
  reach: Reach,
): Promise<Asked> {
  let last: Asked = { code: 'nobody' }
  for (const base of urls) {
    last = await askOneRdap(domain, base, memory, reach)
    if (last.code === 'found' || last.code === 'absent') return last
  }
  return last
}

async function askOneRdap(domain: string, base: string, memory: RegistryMemory, reach: Reach): Promise<Asked> {
  const url = new URL(`domain/${domain}`, base)
  const server = url.hostname
  if (memory.rests(url.origin, reach.now())) return failed(`${server} asked not to be asked for a while.`)
  try {
    const headers = { accept: 'application/rdap+json, application/json' }
    const wanted = { maxBytes: maxRdapBytes, maxHops: 3, allowDowngrade: false, headers }
    const page = await memory.ask(url.origin, reach, () => follow(url, reach, wanted))
    if (page.status === 404)
      return page.headers.contentType?.includes('json')
        ? { code: 'absent', server }
        : { code: 'doubtful', problem: `${server} answered with status 404.` }
    if (page.status === 429 || page.status === 503) {
      memory.rest(url.origin, reach.now() + retryAfterMs(page.headers.get('retry-after'), reach.now()))
      return failed(`${server} asked not to be asked for a while.`)
    }
    if (page.status !== 200) return failed(`${server} answered with status ${page.status}.`)
    const registration = page.truncated ? null : readRdap(parseJson(textOfPage(page)), domain)
    return registration
      ? { code: 'found', registration, server }
      : failed(`${server} answered with something that is no record of the domain.`)
  } catch (error) {
    return failed(`${server}: ${messageOf(error)}`)
  }
}

/** Asks the WHOIS server of a domain, and the registrar's it refers to when it does not tell the end itself. */
export async function askWhois(
  domain: string,
  place: string | undefined,
  memory: RegistryMemory,
  reach: Reach,
): Promise<Asked> {
  if (place === undefined) return { code: 'nobody' }
  const answer = await askOneWhois(domain, place, memory, reach)
  if ('problem' in answer) return failed(answer.problem)
  const server = hostOf(place).host
  if (answer.code === 'absent') return { code: 'absent', server }
  if (answer.code !== 'found')
    return failed(
      answer.code === 'refused'
        ? `${server} refuses to answer for a while.`
        : `${server} answered with something that is no record of the domain.`,
    )
  const { registration, referral } = answer
  if (registration.expires_at === null && referral && referral !== server) {
    const further = await askOneWhois(domain, referral, memory, reach)
    if (!('problem' in further) && further.code === 'found' && further.registration.expires_at)
      return {
        code: 'found',
        registration: { ...registration, expires_at: further.registration.expires_at },
        server: referral,
      }
  }
  return { code: 'found', registration, server }
}

async function askOneWhois(
  domain: string,
  place: string,
  memory: RegistryMemory,
  reach: Reach,
): Promise<WhoisAnswer | { problem: string }> {
  const { host } = hostOf(place)
  if (memory.rests(place, reach.now())) return { problem: `${host} asked not to be asked for a while.` }
  try {
    const answer = readWhois(
      await memory.ask(place, reach, () => converse(place, whoisQuestion(host, domain), reach)),
      domain,
    )
    if (answer.code === 'refused') memory.rest(place, reach.now() + hourMs)
    return answer
  } catch (error) {
    return { problem: `${host}: ${messageOf(error)}` }
  }
}

/** The WHOIS server of a zone, by the word of who keeps the root; null when there is none, undefined when nobody could say. */
export async function askReferral(
  zone: string,
  root: string,
  memory: RegistryMemory,
  reach: Reach,
): Promise<string | null | undefined> {
  const known = memory.referral(zone, reach.now())
  if (known !== undefined) return known
  try {
    const server = readReferral(await memory.ask(root, reach, () => converse(root, `${zone}\r\n`, reach)))
    memory.refer(zone, server, reach.now())
    return server
  } catch {
    return undefined
  }
}

/** RFC 3912: a line is sent, and what comes until the server hangs up is the answer. */
async function converse(place: string, question: string, { guard, signal }: Reach): Promise<string> {
  const { host, port } = hostOf(place)
  const { socket } = await guard.connect({ host, port, signal })
  const parts: Buffer[] = []
  let bytes = 0
  try {
    return await new Promise<string>((resolve, reject) => {
      const finish = () => resolve(decode(Buffer.concat(parts).subarray(0, maxWhoisBytes)))
      socket.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes >= maxWhoisBytes) finish()
      })
      socket.on('end', finish)
      socket.on('close', finish)
      socket.on('error', error => reject(connectFailure(error, 'first_byte')))
      const stop = () => reject(new RunFailure('timeout', 'first_byte', 'There was no answer in time.'))
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
      socket.write(question)
    })
  } finally {
    socket.destroy()
  }
}

function hostOf(place: string): { host: string; port: number } {
  const [, six, name, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(place) ?? []
  return { host: six ?? name ?? place, port: Number(port ?? 43) }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const messageOf = (error: unknown) => (error instanceof RunFailure ? error.message : 'It could not be asked.')
