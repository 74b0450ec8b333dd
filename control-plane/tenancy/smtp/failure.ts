import { RunFailure } from '#contract/check.ts'

/** Why a server accepted no mail. The reasons reveal neither our own network nor the server's text. */
export const smtpFailures = [
  'blocked',
  'dns',
  'connect',
  'timeout',
  'tls',
  'auth',
  'sender',
  'recipient',
  'refused',
  'protocol',
] as const
export type SmtpFailure = (typeof smtpFailures)[number]

/** An error of nodemailer's. */
interface MailerError extends Error {
  code?: unknown
  originalCode?: unknown
  command?: unknown
  responseCode?: unknown
}

export function failureOf(error: unknown): SmtpFailure {
  if (error instanceof RunFailure) return ofTheWay(error)
  if (!(error instanceof Error)) return 'protocol'
  const { code, originalCode, command }: MailerError = error
  switch (code) {
    case 'EABORT':
    case 'ETIMEDOUT':
      return 'timeout'
    case 'ETLS':
      return 'tls'
    case 'EAUTH':
    case 'ENOAUTH':
      return 'auth'
    case 'EENVELOPE':
      return command === 'MAIL FROM' ? 'sender' : command === 'DATA' ? 'refused' : 'recipient'
    case 'EMESSAGE':
      return 'refused'
    case 'ESOCKET':
      return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(String(originalCode ?? '')) ? 'tls' : 'connect'
    case 'ECONNECTION':
    case 'EDNS':
      return 'connect'
    default:
      return error.name === 'AbortError' || error.name === 'TimeoutError' ? 'timeout' : 'protocol'
  }
}

function ofTheWay({ code, phase }: RunFailure): SmtpFailure {
  if (code === 'blocked') return 'blocked'
  if (phase === 'dns') return 'dns'
  if (code === 'timeout') return 'timeout'
  return code === 'tls_failed' ? 'tls' : 'connect'
}

/** Whether the server refuses this recipient permanently. */
export const isForGood = (error: unknown): boolean => {
  if (!(error instanceof Error) || failureOf(error) !== 'recipient') return false
  const { responseCode }: MailerError = error
  return typeof responseCode === 'number' && responseCode >= 500
}
