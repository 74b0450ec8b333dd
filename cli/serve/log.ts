import { type DestinationStream, type Logger, pino } from 'pino'

const secrets = /\b(ss|rk|ik|svc|sk|ag)-[\w-]{43}[0-9a-z]{7}/g
const jwts = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g
const passwordsInUrls = /(:\/\/[^\s/:@"\\]*:)[^\s/@"\\]+@/g
const addresses = /[\w.!#$%&'*+=?^`{|}~-]+@[\w-]+(\.[\w-]+)+/g

/** Takes out what must never be written down, wherever in a line it turns up: an error's message is not ours to trust. */
export const scrub = (line: string) => line.replace(secrets, '$1-…').replace(jwts, 'jwt…').replace(passwordsInUrls, '$1…@').replace(addresses, '…@…')

const hidden = ['authorization', 'password', 'password_hash', 'token', 'access_token', 'assertion', 'secret', 'secretKey', 'email', 'cookie']

/** Structured lines on standard output. Fields that hold secrets are dropped by name, secrets in text by their shape. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: { paths: hidden.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), censor: '…' },
      hooks: { streamWrite: scrub },
    },
    destination ?? pino.destination({ fd: 1, sync: false, minLength: 0 }),
  )
}
