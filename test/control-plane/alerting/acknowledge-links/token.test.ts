import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { acknowledgeToken, openAcknowledgeToken } from '#control-plane/alerting/acknowledge-links/token.ts'

const keys = { secretKey: 'a key for this test, thirty-two or more' }
const grant = (more: Partial<Parameters<typeof acknowledgeToken>[1]> = {}) => ({
  incidentId: randomUUID(),
  channelId: randomUUID(),
  recipient: null,
  expiresAt: new Date('2026-01-22T08:30:05Z'),
  ...more,
})

describe('the token of an acknowledge link', () => {
  test('contains the incident, the channel and the expiry, and no address', () => {
    const given = grant({ recipient: 'Pat@Example.com' })
    const token = acknowledgeToken(keys, given)
    expect(token).toMatch(/^[\w-]{80}$/)
    expect(Buffer.from(token, 'base64url').toString('latin1').toLowerCase()).not.toContain('pat')
    const opened = openAcknowledgeToken(keys, token)
    expect(opened).toMatchObject({
      incidentId: given.incidentId,
      channelId: given.channelId,
      expiresAt: given.expiresAt,
      isForOneRecipient: true,
    })
    expect(opened?.isFor('pat@example.com')).toBe(true)
    expect(opened?.isFor('pia@example.com')).toBe(false)
    expect(openAcknowledgeToken(keys, acknowledgeToken(keys, grant()))?.isForOneRecipient).toBe(false)
  })

  test('is the same for the same grant, and different if any part differs', () => {
    const given = grant({ recipient: 'pat@example.com' })
    expect(acknowledgeToken(keys, given)).toBe(acknowledgeToken(keys, { ...given }))
    const others = [
      { incidentId: randomUUID() },
      { channelId: randomUUID() },
      { recipient: null },
      { recipient: 'pia@example.com' },
      { expiresAt: new Date(0) },
    ]
    const tokens = [given, ...others.map(other => ({ ...given, ...other }))].map(each => acknowledgeToken(keys, each))
    expect(new Set(tokens).size).toBe(tokens.length)
  })

  test('is refused if a bit is changed, if it is shorter or longer, and with another key', () => {
    const token = acknowledgeToken(keys, grant({ recipient: 'pat@example.com' }))
    const bytes = Buffer.from(token, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const forged = Buffer.from(bytes)
      forged[bit >> 3]! ^= 1 << (bit & 7)
      expect(openAcknowledgeToken(keys, forged.toString('base64url')), `bit ${bit}`).toBeNull()
    }
    for (const other of ['', token.slice(1), `${token}A`, ` ${token}`, `${token}\n`, token.replace(/.$/, '=')])
      expect(openAcknowledgeToken(keys, other)).toBeNull()
    expect(openAcknowledgeToken({ secretKey: 'another key, as long as the first one was' }, token)).toBeNull()
  })

  test('made with the previous key is still valid, for the same recipient', () => {
    const token = acknowledgeToken(keys, grant({ recipient: 'pat@example.com' }))
    const rotated = { secretKey: 'the next key, as long as the first one was', previousSecretKeys: [keys.secretKey] }
    expect(openAcknowledgeToken(rotated, token)?.isFor('pat@example.com')).toBe(true)
  })
})
