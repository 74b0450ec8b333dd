import { type ChildProcess, spawn } from 'node:child_process'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { isExecutable } from '#checks/executable.ts'
import type { Probe } from '#checks/probe.ts'
import { familyOf } from '#checks/settings.ts'
import { hostOf } from '#checks/target.ts'
import { withPhases } from '#checks/with-phases.ts'
import { type Phases, RunFailure } from '#contract/check.ts'
import { FairSlots } from '#contract/fair-queue.ts'
import { connectFailure, isShortage } from '#egress/failures.ts'
import { hasIPv6 } from '#egress/interfaces.ts'
import type { ping } from './kind.ts'

const missing = 'This region cannot ping: the program "ping" is not installed there.'
const maxOutputChars = 16_384
/** Concurrent ping processes: each costs an agent far more than a socket. One tenant may have at most half. */
const processes = new FairSlots(256)

/** Fixed paths, so that no search path decides which program runs. */
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/** Why this machine cannot ping, or null when it can. */
export const pingSupported = (places: readonly string[] = folders): string | null => (findPing(places) ? null : missing)

const findPing = (places: readonly string[]) => places.map(folder => join(folder, 'ping')).find(isExecutable)

/** The system's `ping`, which may send ICMP where we may not; it gets the checked address, never the name. */
export const pingFrom =
  (places: readonly string[]): Probe<typeof ping> =>
  async (target, settings, { guard, signal, tenant = '' }) => {
    const start = performance.now()
    const program = findPing(places)
    if (!program) throw new RunFailure('unsupported', 'request', missing)
    const phases: Phases = { dns: null, connect: null, tls: null, first_byte: null, total: null }
    try {
      const { host } = hostOf(target)
      const [chosen] = await guard.resolve(host, familyOf(settings.ip_version), signal)
      if (!chosen) throw new RunFailure('dns_not_found', 'dns', 'The target has no address.')
      phases.dns = isIP(host) ? null : performance.now() - start
      const release = processes.tryTake(tenant) ?? (await processes.take(tenant, signal).catch(tooMany))
      const leftMs = Math.max(1_000, settings.timeout_ms - (performance.now() - start))
      const output = await run(program, argumentsFor(chosen.address, settings.packets, leftMs), signal).finally(release)
      phases.total = performance.now() - start
      const seen = parsePing(output, settings.packets)
      phases.first_byte = seen.avg_ms
      return { seen, phases, address: chosen.address }
    } catch (error) {
      throw withPhases(error, phases, start)
    }
  }

export const probePing = pingFrom(folders)

function tooMany(): never {
  throw new RunFailure('overloaded', 'request', 'Too many pings of this team are under way in this region.')
}

/**
 * Options that iputils and busybox share. Packets are sent a fifth of a second apart, and the wait for the last one
 * ends before the timeout. No `-w`: with it, iputils continues until as many have come back.
 */
function argumentsFor(address: string, packets: number, leftMs: number): string[] {
  const waitS = Math.floor(leftMs / 1000 - 0.2 * (packets - 1) - 0.3)
  return [
    isIP(address) === 6 ? '-6' : '-4',
    '-n',
    '-q',
    '-c',
    String(packets),
    '-i',
    '0.2',
    '-W',
    String(Math.min(5, Math.max(1, waitS))),
    address,
  ]
}

function run(program: string, args: string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    let stderr = ''
    const child = started(program, args)
    let killer: NodeJS.Timeout | undefined
    const stop = () => {
      child.kill('SIGINT') // on this signal ping prints its statistics so far
      killer = setTimeout(() => child.kill('SIGKILL'), 300)
    }
    child.stdout?.on('data', chunk => {
      if (output.length < maxOutputChars) output += chunk
    })
    child.stderr?.on('data', chunk => {
      if (stderr.length < maxOutputChars) stderr += chunk
    })
    // the program itself could not be started, which is no fault of the host
    child.on('error', error => reject(notStarted(error)))
    child.on('close', (_, killedBy) => {
      clearTimeout(killer)
      signal.removeEventListener('abort', stop)
      if (/packets transmitted/.test(output)) resolve(output)
      else if (signal.aborted) reject(new RunFailure('timeout', 'first_byte', 'The host did not answer in time.'))
      else if (killedBy === 'SIGKILL')
        reject(tooBusy()) // by the machine, as it had no memory left
      else reject(stderrFailure(stderr, args))
    })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
}

function started(program: string, args: string[]): ChildProcess {
  try {
    return spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { LC_ALL: 'C', PATH: folders.join(':') },
    })
  } catch (error) {
    // some errors of the system are thrown, others are an event
    throw notStarted(error)
  }
}

/** EPERM: the program has a capability of its own that this container may not have. */
function notStarted(error: unknown): RunFailure {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  if (isShortage(error) || code === 'EAGAIN') return tooBusy()
  const why = code === 'ENOENT' ? missing : `This region cannot ping: the program "ping" cannot be started (${code}).`
  return new RunFailure('unsupported', 'request', why)
}

const tooBusy = () => new RunFailure('overloaded', 'request', 'The agent is short of processes or memory.')

/** Why `ping` printed no statistics: of this machine only where the program says so. */
function stderrFailure(stderr: string, args: readonly string[]): RunFailure {
  if (/not permitted|permission denied|raw socket|are you root/i.test(stderr))
    return new RunFailure('unsupported', 'request', 'This region cannot ping: it may not send ICMP.')
  if (/address family|cannot assign|protocol not supported/i.test(stderr))
    return new RunFailure('unsupported', 'connect', 'This region has no way to send ICMP in this family.')
  if (/^usage|(?:unrecognized|invalid|unknown) option/im.test(stderr))
    return new RunFailure('unsupported', 'request', 'This region cannot ping: its program "ping" is another one.')
  if (/no buffer space|cannot allocate|out of memory/i.test(stderr)) return tooBusy()
  if (/unreachable/i.test(stderr))
    return args.includes('-6') && !hasIPv6()
      ? new RunFailure('unsupported', 'connect', 'This region has no IPv6.')
      : connectFailure({ code: 'ENETUNREACH' })
  const [line = ''] = stderr.trim().split('\n')
  return new RunFailure('unexpected', 'request', 'The program "ping" failed unexpectedly.', {
    cause: new PingError(line),
  })
}

class PingError extends Error {
  override readonly name = 'PingError'
}

/** The summary of iputils (`rtt min/avg/max/mdev`), busybox (`round-trip min/avg/max`) and BSD (`/stddev`). */
export function parsePing(output: string, packets: number) {
  const [, sent = String(packets), received = '0'] =
    /(\d+) packets transmitted, (\d+) (?:packets )?received/.exec(output) ?? []
  const [, min, avg, max] = /min\/avg\/max[^=]*= ([\d.]+)\/([\d.]+)\/([\d.]+)/.exec(output) ?? []
  const number = (text: string | undefined) => (text === undefined ? null : Number(text))
  return {
    sent: Math.max(1, Number(sent)),
    received: Math.min(Number(received), Number(sent)),
    min_ms: number(min),
    avg_ms: number(avg),
    max_ms: number(max),
  }
}
