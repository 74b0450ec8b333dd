import { createTransport } from 'nodemailer'
import type { PlatformMail } from '#control-plane/config.ts'
import { defaultOptions, type Transport } from '#control-plane/tenancy/smtp/transport.ts'
import type { Guard } from '#egress/guard.ts'

/** Connections to the operator's own mail server, which may have a private address. */
export function openPlatformTransport(
  { host, port, isTls, username, password }: PlatformMail,
  guard: Guard,
): Transport {
  const isOnThisMachine = /^(localhost|127\.[\d.]+|::1)$/.test(host)
  return createTransport({
    ...defaultOptions,
    host,
    port,
    maxConnections: 10,
    secure: isTls,
    // a name and password are never sent unencrypted over a network
    requireTLS: username !== null && !isOnThisMachine,
    // on this machine no encryption is needed, and certificates are seldom trusted
    ignoreTLS: isOnThisMachine,
    ...(username !== null && { auth: { user: username, pass: password ?? '' } }),
    tls: { secureContext: guard.secureContext },
  })
}
