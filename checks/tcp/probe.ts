import type { Socket } from 'node:net'
import type { Probe } from '#checks/probe.ts'
import { familyOf } from '#checks/settings.ts'
import { hostOf } from '#checks/target.ts'
import { withPhases } from '#checks/with-phases.ts'
import { type Phases, RunFailure } from '#contract/check.ts'
import { connectFailure } from '#egress/failures.ts'
import { refuseSend } from './commands.ts'
import type { tcp } from './kind.ts'

const maxBannerBytes = 4_096

export const probeTcp: Probe<typeof tcp> = async (target, settings, { guard, signal }) => {
  const start = performance.now()
  const phases: Phases = { dns: null, connect: null, tls: null, first_byte: null, total: null }
  let socket: Socket | undefined
  try {
    const why = refuseSend(settings)
    if (why !== null) throw new RunFailure('blocked', 'guard', why)
    const { host } = hostOf(target)
    const connected = await guard.connect({ host, port: settings.port, family: familyOf(settings.ip_version), signal })
    socket = connected.socket
    phases.dns = connected.dnsMs
    phases.connect = connected.connectMs
    const { address } = connected
    const sentAt = performance.now()
    if (settings.send !== null) socket.write(settings.send)
    if (settings.expect === null) {
      phases.total = performance.now() - start
      return { seen: { matched: null, banner: null }, phases, address }
    }
    const { text, firstByteAt } = await listen(socket, settings.expect, signal)
    phases.first_byte = firstByteAt === null ? null : firstByteAt - sentAt
    phases.total = performance.now() - start
    return { seen: { matched: text.includes(settings.expect), banner: printable(text).slice(0, 256) }, phases, address }
  } catch (error) {
    throw withPhases(error, phases, start)
  } finally {
    socket?.end()
    socket?.destroySoon()
  }
}

/** Reads until the expected text is received, the limit is reached, or the target closes the connection. */
function listen(
  socket: Socket,
  expected: string,
  signal: AbortSignal,
): Promise<{ text: string; firstByteAt: number | null }> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    let firstByteAt: number | null = null
    const settle = () => {
      signal.removeEventListener('abort', stop)
      socket.removeListener('data', onData)
    }
    const finish = () => {
      settle()
      resolve({ text: received.toString('utf8'), firstByteAt })
    }
    const onData = (chunk: Buffer) => {
      firstByteAt ??= performance.now()
      received = Buffer.concat([received, chunk]).subarray(0, maxBannerBytes)
      if (received.includes(expected) || received.length === maxBannerBytes) finish()
    }
    const stop = () => {
      settle()
      socket.destroy()
      reject(
        new RunFailure('timeout', 'first_byte', 'The expected text did not come in time.', {
          excerpt: printable(received.toString('utf8')).slice(0, 256),
        }),
      )
    }
    socket.on('data', onData)
    socket.on('end', finish)
    socket.on('error', error => {
      settle()
      reject(connectFailure(error, 'first_byte'))
    })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
}

const printable = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim()
