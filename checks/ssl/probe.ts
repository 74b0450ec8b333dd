import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { get } from '#checks/http/get.ts'
import type { Probe, ProbeContext } from '#checks/probe.ts'
import { familyOf } from '#checks/settings.ts'
import { hostOf } from '#checks/target.ts'
import { withPhases } from '#checks/with-phases.ts'
import { noPhases, type Phases, RunFailure } from '#contract/check.ts'
import { isMadeFor } from '#egress/guard.ts'
import { chainOf, isSelfSigned, isSignedBy, issuerUrlOf, linkOf, nameOf, weaknessesOf } from './chain.ts'
import type { ssl } from './kind.ts'

const dayMs = 86_400_000
/** Codes that do not concern the chain: the kind judges dates, and a wrong host is reported separately. */
const codesBesideChain = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'])
const maxCertificateBytes = 65_536
const maxFetched = 3

export const probeSsl: Probe<typeof ssl> = async (target, settings, context) => {
  const { guard, signal, now } = context
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
    const phases: Phases = {
      dns: dnsMs,
      connect: connectMs,
      tls: tlsMs,
      first_byte: null,
      total: performance.now() - start,
    }
    try {
      if (!certificate) throw new RunFailure('tls_failed', 'tls', 'The target showed no certificate.')
      const chain = chainOf(certificate)
      const seen = describe(socket, certificate, host, untrusted, now())
      const links = chain.map(linkOf)
      return {
        seen: {
          ...seen,
          ...(await chainStatus(chain, untrusted, context)),
          chain: links,
          weaknesses: weaknessesOf(links),
        },
        phases,
        address,
      }
    } finally {
      socket.destroy()
    }
  } catch (error) {
    throw withPhases(error, noPhases, start)
  }
}

function describe(
  socket: TLSSocket,
  certificate: X509Certificate,
  host: string,
  untrusted: string | null,
  now: number,
) {
  const [validFrom, validTo] = [new Date(certificate.validFrom), new Date(certificate.validTo)]
  if (Number.isNaN(validFrom.getTime()) || Number.isNaN(validTo.getTime()))
    throw new RunFailure('tls_failed', 'tls', 'The dates of the certificate cannot be read.')
  return {
    issuer: nameOf(certificate.issuer),
    subject: nameOf(certificate.subject),
    names: namesOf(certificate.subjectAltName),
    serial: certificate.serialNumber.slice(0, 64),
    valid_from: validFrom.toISOString(),
    valid_to: validTo.toISOString(),
    days_left: Math.floor((validTo.getTime() - now) / dayMs),
    fingerprint: certificate.fingerprint256,
    protocol: socket.getProtocol(),
    cipher: socket.getCipher()?.name ?? null,
    matches_host: isMadeFor(certificate, host),
    chain_error: untrusted === null || codesBesideChain.has(untrusted) ? null : untrusted.slice(0, 100),
  }
}

/**
 * Why the chain is not trusted: whether it only lacks a certificate that can be fetched, or ends at an unknown issuer.
 */
async function chainStatus(chain: readonly X509Certificate[], untrusted: string | null, context: ProbeContext) {
  const { guard, now } = context
  const leaf = chain[0]!
  const top = chain.at(-1)!
  if (untrusted === null) return { chain_problem: null }
  const isDated = Date.parse(leaf.validFrom) <= now() && now() < Date.parse(leaf.validTo)
  if (untrusted === 'CERT_HAS_EXPIRED' || untrusted === 'CERT_NOT_YET_VALID')
    return { chain_problem: isDated ? ('expired_link' as const) : null }
  if (codesBesideChain.has(untrusted)) return { chain_problem: null }
  if (isSelfSigned(leaf)) return { chain_problem: 'self_signed' as const }
  // OpenSSL refuses a weak key or hash under a code without a name and reports nothing further
  const isChained = chain.every((link, index) => index === 0 || isSignedBy(chain[index - 1]!, link))
  if (untrusted === 'UNSPECIFIED' && isChained && guard.isAnchored(top))
    return { chain_problem: null, chain_error: null }
  const missing = isSelfSigned(top) ? null : await missingLink(top, context)
  return missing === null
    ? { chain_problem: 'untrusted' as const }
    : { chain_problem: 'incomplete' as const, missing_link: nameOf(missing.subject) }
}

/** The issuer of the last certificate sent, if fetching it completes the chain to a trusted authority. */
async function missingLink(top: X509Certificate, context: ProbeContext): Promise<X509Certificate | null> {
  let first: X509Certificate | null = null
  for (let last = top, fetched = 0; fetched < maxFetched; fetched++) {
    const issuer = await fetchIssuer(last, context)
    if (!issuer) return null
    first ??= issuer
    if (context.guard.isAnchored(issuer)) return first
    last = issuer
  }
  return null
}

async function fetchIssuer(certificate: X509Certificate, context: ProbeContext): Promise<X509Certificate | null> {
  const url = issuerUrlOf(certificate)
  if (!url || context.guard.refuseUrl(url.href)) return null
  try {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(3_000)])
    const page = await get(url, { ...context, signal }, { maxBytes: maxCertificateBytes })
    const issuer = page.status === 200 && !page.truncated ? new X509Certificate(page.body) : null
    return issuer && isSignedBy(certificate, issuer) ? issuer : null
  } catch {
    return null
  }
}

/** The names in `DNS:example.com, IP Address:10.0.0.1`. */
const namesOf = (text: string | undefined) =>
  [...(text ?? '').matchAll(/(?:^|, )(?:DNS|IP Address):(?:"([^"]*)"|([^,]+))/g)]
    .slice(0, 100)
    .map(([, quoted, plain]) => (quoted ?? plain ?? '').slice(0, 260))
