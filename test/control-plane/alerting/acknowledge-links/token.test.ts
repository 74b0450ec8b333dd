import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { linkToken, readLinkToken } from '#control-plane/alerting/acknowledge-links/token.ts'

const keys = { secretKey: 'a key for this test, thirty-two or more' }
const grant = (more: Partial<Parameters<typeof linkToken>[2]> = {}) => ({
  incidentId: randomUUID(),
  channelId: randomUUID(),
  recipient: null,
  expiresAt: new Date('2026-01-22T08:30:05Z'),
  ...more,
})

describe('the token of an acknowledge link', () => {
  test('contains the incident, the channel and the expiry, and no address', () => {
    const given = grant({ recipient: 'Pat@Example.com' })
    const token = linkToken(keys, 'acknowledge', given)
    expect(token).toMatch(/^[\w-]{80}$/)
    expect(Buffer.from(token, 'base64url').toString('latin1').toLowerCase()).not.toContain('pat')
    const opened = readLinkToken(keys, 'acknowledge', token)
    expect(opened).toMatchObject({
      incidentId: given.incidentId,
      channelId: given.channelId,
      expiresAt: given.expiresAt,
      isForOneRecipient: true,
    })
    expect(opened?.isFor('pat@example.com')).toBe(true)
    expect(opened?.isFor('pia@example.com')).toBe(false)
    expect(readLinkToken(keys, 'acknowledge', linkToken(keys, 'acknowledge', grant()))?.isForOneRecipient).toBe(false)
  })

  test('is the same for the same grant, and different if any part differs', () => {
    const given = grant({ recipient: 'pat@example.com' })
    expect(linkToken(keys, 'acknowledge', given)).toBe(linkToken(keys, 'acknowledge', { ...given }))
    const others = [
      { incidentId: randomUUID() },
      { channelId: randomUUID() },
      { recipient: null },
      { recipient: 'pia@example.com' },
      { expiresAt: new Date(0) },
    ]
    const tokens = [given, ...others.map(other => ({ ...given, ...other }))].map(each =>
      linkToken(keys, 'acknowledge', each),
    )
    expect(new Set(tokens).size).toBe(tokens.length)
  })

  test('is refused if a bit is changed, if it is shorter or longer, and with another key', () => {
    const token = linkToken(keys, 'acknowledge', grant({ recipient: 'pat@example.com' }))
    const bytes = Buffer.from(token, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const forged = Buffer.from(bytes)
      forged[bit >> 3]! ^= 1 << (bit & 7)
      expect(readLinkToken(keys, 'acknowledge', forged.toString('base64url')), `bit ${bit}`).toBeNull()
    }
    for (const other of ['', token.slice(1), `${token}A`, ` ${token}`, `${token}\n`, token.replace(/.$/, '=')])
      expect(readLinkToken(keys, 'acknowledge', other)).toBeNull()
    expect(readLinkToken({ secretKey: 'another key, as long as the first one was' }, 'acknowledge', token)).toBeNull()
  })

  test('made with the previous key is still valid, for the same recipient', () => {
    const token = linkToken(keys, 'acknowledge', grant({ recipient: 'pat@example.com' }))
    const rotated = { secretKey: 'the next key, as long as the first one was', previousSecretKeys: [keys.secretKey] }
    expect(readLinkToken(rotated, 'acknowledge', token)?.isFor('pat@example.com')).toBe(true)
  })
})
