import { describe, expect, test } from 'vitest'
import { suppressibleMails } from '#contract/events.ts'
import { app, given } from '#test/support/app.ts'

const path = '/reseller/email-suppression'
const hook = (events: string[]) => ({ name: 'CRM', url: 'https://crm.example.com/vedette', events })

describe('/reseller/email-suppression', () => {
  test('starts empty, stores the chosen types, and returns which of them have a subscribed webhook', async () => {
    const reseller = await given.reseller({ scopes: ['portal:manage', 'webhooks:write'] })
    const begun = (await reseller.get(path)).body.data
    expect(begun).toEqual({
      suppressed_types: [],
      effective_types: [],
      suppressible_types: [...suppressibleMails],
      updated_at: null,
    })

    const chosen = await reseller.put(path, { suppressed_types: ['digest', 'invitation'] })
    expect(chosen.status).toBe(200)
    expect(chosen.body.data).toMatchObject({ suppressed_types: ['invitation', 'digest'], effective_types: [] })
    const { id } = (await reseller.post('/reseller/webhooks', hook(['email.invitation', 'email.warning']))).body.data
    expect((await reseller.get(path)).body.data).toMatchObject({
      suppressed_types: ['invitation', 'digest'],
      effective_types: ['invitation'],
    })
    await reseller.patch(`/reseller/webhooks/${id}`, { is_enabled: false })
    expect((await reseller.get(path)).body.data.effective_types).toEqual([])

    expect((await reseller.put(path, { suppressed_types: [] })).body.data.suppressed_types).toEqual([])
    expect((await app.audited(reseller)).filter(action => action.startsWith('email_suppression'))).toEqual(
      Array(2).fill('email_suppression.updated'),
    )
  })

  test('takes every type there is, and one reseller’s choice is none of another’s', async () => {
    const [reseller, rival] = [
      await given.reseller({ scopes: ['portal:write'] }),
      await given.reseller({ scopes: ['portal:read'] }),
    ]
    expect((await reseller.put(path, { suppressed_types: suppressibleMails })).body.data.suppressed_types).toEqual([
      ...suppressibleMails,
    ])
    expect((await rival.get(path)).body.data.suppressed_types).toEqual([])
  })

  test.each([
    ['what lets people back in', ['invitation', 'password_reset'], 'suppressed_types.1'],
    ['what confirms an address', ['email_change_verify'], 'suppressed_types.0'],
    ['the notice to the former address', ['email_changed_notify'], 'suppressed_types.0'],
    ['an unknown type', ['digest', 'warning', 'fan_mail'], 'suppressed_types.2'],
    ['an event’s name', ['email.digest'], 'suppressed_types.0'],
    ['what is no text', [7], 'suppressed_types.0'],
    ['a type twice', ['digest', 'digest'], 'suppressed_types'],
    ['no list', 'digest', 'suppressed_types'],
    ['nothing', undefined, 'suppressed_types'],
    ['more than there are', [...suppressibleMails, 'digest'], 'suppressed_types'],
  ])('refuses %s', async (_, suppressed_types, field) => {
    const reseller = await given.reseller({ scopes: ['portal:write'] })
    const { status, body } = await reseller.put(path, { suppressed_types })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
  })

  test('needs its scope and a reseller', async () => {
    const reader = await given.reseller({ scopes: ['portal:read', 'notifications:manage'] })
    expect((await reader.put(path, { suppressed_types: [] })).status).toBe(403)
    expect((await (await given.reseller({ scopes: ['webhooks:manage'] })).get(path)).status).toBe(403)
    expect((await (await given.tenant()).get(path)).status).toBe(403)
  })
})
