import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { Probe } from '#checks/probe.ts'
import { familyOf } from '#checks/settings.ts'
import { hostOf } from '#checks/target.ts'
import { LookFailure, type Phases } from '#contract/check.ts'
import { isMadeFor } from '#egress/guard.ts'
import type { ssl } from './kind.ts'

const dayMs = 86_400_000
/** Dates are judged by the kind; a wrong host shows beside them. What is left says whether the chain is trusted. */
const notOfTheChain = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'])

export const probeSsl: Probe<typeof ssl> = async (target, settings, { guard, signal, now }) => {
  const start = performance.now()
  const { host, port } = hostOf(target)
  const isHttps = target.url.startsWith('https:')
  try {
    const connected = await guard.connectTls({
      host,
      port: settings.port ?? (isHttps && port ? port : 443),
      family: familyOf(settings.ip_version),
      signal,
      now,
    })
    const { socket, certificate, dnsMs, connectMs, tlsMs, address, untrusted } = connected
    const phases: Phases = { dns: dnsMs, connect: connectMs, tls: tlsMs, first_byte: null, total: performance.now() - start }
    try {
      return { seen: describe(socket, certificate, host, untrusted, now()), phases, address }
    } finally {
      socket.destroy()
    }
  } catch (error) {
    if (error instanceof LookFailure) error.phases = { ...error.phases, total: performance.now() - start }
    throw error
  }
}

function describe(socket: TLSSocket, certificate: X509Certificate | undefined, host: string, untrusted: string | null, now: number) {
  if (!certificate) throw new LookFailure('tls_failed', 'tls', 'The target showed no certificate.')
  const validTo = new Date(certificate.validTo)
  return {
    issuer: certificate.issuer.replaceAll('\n', ', ').slice(0, 500),
    subject: (certificate.subject ?? '').replaceAll('\n', ', ').slice(0, 500),
    names: namesOf(certificate.subjectAltName),
    valid_from: new Date(certificate.validFrom).toISOString(),
    valid_to: validTo.toISOString(),
    days_left: Math.floor((validTo.getTime() - now) / dayMs),
    fingerprint: certificate.fingerprint256,
    protocol: socket.getProtocol(),
    cipher: socket.getCipher()?.name ?? null,
    matches_host: isMadeFor(certificate, host),
    chain_error: untrusted === null || notOfTheChain.has(untrusted) ? null : untrusted.slice(0, 100),
  }
}

/** `DNS:example.com, IP Address:10.0.0.1`: the names alone. */
const namesOf = (text: string | undefined) =>
  [...(text ?? '').matchAll(/(?:^|, )(?:DNS|IP Address):(?:"([^"]*)"|([^,]+))/g)]
    .slice(0, 100)
    .map(([, quoted, plain]) => (quoted ?? plain ?? '').slice(0, 260))
