import { createHmac } from 'node:crypto'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWT of any claims and header, with the HMAC of the secret as its signature. */
export function forge(claims: object, secret: string, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const signed = `${part(header)}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
