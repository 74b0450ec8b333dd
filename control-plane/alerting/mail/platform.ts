import { createTransport } from 'nodemailer'
import type { PlatformMail } from '#control-plane/config.ts'
import { type Transport, usualOptions } from '#control-plane/tenancy/smtp/transport.ts'
import type { Guard } from '#egress/guard.ts'

/** Connections to the operator's own mail server, which may stand inside. */
export function openPlatformTransport(
  { host, port, isTls, username, password }: PlatformMail,
  guard: Guard,
): Transport {
  const isOnThisMachine = /^(localhost|127\.[\d.]+|::1)$/.test(host)
  return createTransport({
    ...usualOptions,
    host,
    port,
    maxConnections: 10,
    secure: isTls,
    // a name and password cross no network in the clear
    requireTLS: username !== null && !isOnThisMachine,
    // nor does what stays on this machine, where certificates are seldom such as can be trusted
    ignoreTLS: isOnThisMachine,
    ...(username !== null && { auth: { user: username, pass: password ?? '' } }),
    tls: { secureContext: guard.secureContext },
  })
}
