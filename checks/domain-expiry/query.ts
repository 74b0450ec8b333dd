import { follow, textOfPage } from '#checks/http/get.ts'
import type { ProbeContext } from '#checks/probe.ts'
import { RunFailure } from '#contract/check.ts'
import { connectFailure } from '#egress/failures.ts'
import type { RegistryMemory } from './memory.ts'
import { readRdap, retryAfterMs } from './rdap.ts'
import type { Registration } from './registration.ts'
import { readReferral, readWhois, type WhoisAnswer, whoisQuestion } from './whois.ts'

const maxRdapBytes = 500_000
const maxWhoisBytes = 100_000
const hourMs = 3_600_000

export type QueryResult =
  | { code: 'found'; registration: Registration; server: string }
  | { code: 'absent'; server: string }
  | { code: 'failed'; problem: string }
  /** Not found, by a server that may no longer speak RDAP: counts only if another server agrees. */
  | { code: 'doubtful'; problem: string }
  /** The domain has no server to query. */
  | { code: 'no_server' }

const failed = (problem: string): QueryResult => ({ code: 'failed', problem })

/** Queries the RDAP servers of a domain in order until one has an answer. */
export async function queryRdap(
  domain: string,
  urls: readonly string[],
  memory: RegistryMemory,
  context: ProbeContext,
): Promise<QueryResult> {
  let last: QueryResult = { code: 'no_server' }
  for (const base of urls) {
    last = await queryRdapServer(domain, base, memory, context)
    if (last.code === 'found' || last.code === 'absent') return last
  }
  return last
}

async function queryRdapServer(
  domain: string,
  base: string,
  memory: RegistryMemory,
  context: ProbeContext,
): Promise<QueryResult> {
  const url = new URL(`domain/${domain}`, base)
  const server = url.hostname
  if (memory.isPaused(url.origin, context.now())) return failed(`${server} asked not to be asked for a while.`)
  try {
    const headers = { accept: 'application/rdap+json, application/json' }
    const wanted = { maxBytes: maxRdapBytes, maxHops: 3, allowDowngrade: false, headers }
    const page = await memory.query(url.origin, context, () => follow(url, context, wanted))
    if (page.status === 404)
      return page.headers.contentType?.includes('json')
        ? { code: 'absent', server }
        : { code: 'doubtful', problem: `${server} answered with status 404.` }
    if (page.status === 429 || page.status === 503) {
      memory.pause(url.origin, context.now() + retryAfterMs(page.headers.get('retry-after'), context.now()))
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

/** Queries the WHOIS server of a domain, and the registrar's it refers to if the expiry date is missing. */
export async function queryWhois(
  domain: string,
  servers: string | undefined,
  memory: RegistryMemory,
  context: ProbeContext,
): Promise<QueryResult> {
  if (servers === undefined) return { code: 'no_server' }
  const answer = await queryWhoisServer(domain, servers, memory, context)
  if ('problem' in answer) return failed(answer.problem)
  const server = hostOf(servers).host
  if (answer.code === 'absent') return { code: 'absent', server }
  if (answer.code !== 'found')
    return failed(
      answer.code === 'refused'
        ? `${server} refuses to answer for a while.`
        : `${server} answered with something that is no record of the domain.`,
    )
  const { registration, referral } = answer
  if (registration.expires_at === null && referral && referral !== server) {
    const further = await queryWhoisServer(domain, referral, memory, context)
    if (!('problem' in further) && further.code === 'found' && further.registration.expires_at)
      return {
        code: 'found',
        registration: { ...registration, expires_at: further.registration.expires_at },
        server: referral,
      }
  }
  return { code: 'found', registration, server }
}

async function queryWhoisServer(
  domain: string,
  servers: string,
  memory: RegistryMemory,
  context: ProbeContext,
): Promise<WhoisAnswer | { problem: string }> {
  const { host } = hostOf(servers)
  if (memory.isPaused(servers, context.now())) return { problem: `${host} asked not to be asked for a while.` }
  try {
    const answer = readWhois(
      await memory.query(servers, context, () => exchangeLine(servers, whoisQuestion(host, domain), context)),
      domain,
    )
    if (answer.code === 'refused') memory.pause(servers, context.now() + hourMs)
    return answer
  } catch (error) {
    return { problem: `${host}: ${messageOf(error)}` }
  }
}

/** The WHOIS server of a zone according to IANA; null when there is none, undefined when unknown. */
export async function queryReferral(
  zone: string,
  root: string,
  memory: RegistryMemory,
  context: ProbeContext,
): Promise<string | null | undefined> {
  const known = memory.referral(zone, context.now())
  if (known !== undefined) return known
  try {
    const server = readReferral(await memory.query(root, context, () => exchangeLine(root, `${zone}\r\n`, context)))
    memory.setReferral(zone, server, context.now())
    return server
  } catch {
    return undefined
  }
}

/** RFC 3912: the client sends a line, and everything until the server closes the connection is the answer. */
async function exchangeLine(servers: string, question: string, { guard, signal }: ProbeContext): Promise<string> {
  const { host, port } = hostOf(servers)
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
      // some servers leave the connection open behind their answer
      const stop = () =>
        bytes > 0 ? finish() : reject(new RunFailure('timeout', 'first_byte', 'There was no answer in time.'))
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
      socket.write(question)
    })
  } finally {
    socket.destroy()
  }
}

function hostOf(servers: string): { host: string; port: number } {
  const [, six, name, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(servers) ?? []
  return { host: six ?? name ?? servers, port: Number(port ?? 43) }
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
