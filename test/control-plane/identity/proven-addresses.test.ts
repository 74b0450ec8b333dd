import { describe, expect, test } from 'vitest'
import { sendDue } from '#control-plane/alerting/digest/due.ts'
import { digests } from '#control-plane/alerting/digest/send.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'
import { linkTo, mailsOf, tokenIn } from './mails.ts'
import { anAddress, another, aPersonIn, password, signIn } from './people.ts'

const { platform } = app.services
const ask = (path: string, body: unknown) => given.stranger().post(path, body)
const third = 'seven brisk walnuts paint lakes'

interface Invited {
  owner: CallerUnderTest
  email: string
  /** In the answer, which the inviter has seen. */
  shown: string
  /** In the mail to the address. */
  mailed: string
}

async function anInvitation(email = anAddress(), role = 'member'): Promise<Invited> {
  const owner = await given.tenant()
  const { body } = await owner.post('/invitations', { email, role })
  return { owner, email, shown: body.plain_text_token, mailed: await linkTo(owner, 'invitation', email) }
}

async function accept(token: string, fields: Record<string, unknown> = {}) {
  const { status, body } = await ask('/invitations/accept', { token, name: 'Nia New', password, ...fields })
  return {
    status,
    code: body.code,
    person: new CallerUnderTest(body.user?.tenant_id ?? '', body.user?.id ?? '', body.token ?? ''),
  }
}

/** An account that the inviter created with the shown token for the address of another person. */
async function aSquatter(email = anAddress(), chosen: string = password) {
  const invited = await anInvitation(email, 'admin')
  const { person } = await accept(invited.shown, { password: chosen })
  return { ...invited, person, verify: await linkTo(invited.owner, 'email_verify', email) }
}

const verifiedAt = async (person: CallerUnderTest) => (await person.get('/profile')).body.data.email_verified_at
const verify = (token: string, given: string = password) => ask('/auth/email/verify', { token, password: given })

async function byReset(of: { tenantId: string }, email: string, to = another) {
  expect((await ask('/auth/password/forgot', { email })).status).toBe(200)
  return ask('/auth/password/reset', { token: await linkTo(of, 'password_reset', email), password: to })
}

describe('an invitation', () => {
  test('has another token in the mail than the one that the inviter sees, also when it is sent again', async () => {
    const { owner, email, shown, mailed } = await anInvitation()
    expect(mailed).toMatch(/^[\w-]{43}$/)
    expect(mailed).not.toBe(shown)
    const id = (await owner.get('/invitations')).body.data[0].id
    const again = await owner.post(`/invitations/${id}/resend`)
    const mailedAgain = await linkTo(owner, 'invitation', email)
    expect(new Set([shown, mailed, again.body.plain_text_token, mailedAgain]).size).toBe(4)
    for (const dead of [shown, mailed]) expect((await ask('/invitations/lookup', { token: dead })).status).toBe(422)
    for (const open of [again.body.plain_text_token, mailedAgain])
      expect((await ask('/invitations/lookup', { token: open })).status).toBe(200)
  })

  test('accepted by the mailed token proves the address', async () => {
    const { owner, email, mailed } = await anInvitation()
    const { status, person } = await accept(mailed)
    expect(status).toBe(201)
    expect(await verifiedAt(person)).toEqual(expect.any(String))
    expect((await owner.get(`/members/${person.userId}`)).body.data.email_verified_at).toEqual(expect.any(String))
    expect((await mailsOf(owner)).map(({ type }) => type)).not.toContain('email_verify')
    expect((await verify(await linkTo(owner, 'email_verify', email))).status).toBe(422)
  })

  test('accepted by the shown token creates an account of that team and mails a proof link', async () => {
    const { owner, email, person } = await aSquatter()
    expect(await verifiedAt(person)).toBeNull()
    expect((await owner.get(`/members/${person.userId}`)).body.data.email_verified_at).toBeNull()
    expect((await person.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })).status).toBe(201)
    expect((await signIn(email)).status).toBe(201)
    expect((await signIn(email, { tenant_id: owner.tenantId })).status).toBe(201)
    const [, mail] = await mailsOf(owner)
    expect(mail).toMatchObject({
      type: 'email_verify',
      recipient: { user_id: person.userId, email },
      data: { user_name: 'Nia New' },
    })
    expect(mail!.data.verify_url).toMatch(/^http:\/\/localhost\/email-verify#[\w-]{43}$/)
  })
})

describe('an unverified account', () => {
  test('is proven by the mailed link together with its password, and keeps its sessions', async () => {
    const { owner, email, person, verify: link } = await aSquatter()
    expect((await verify(link, 'a wrong password of mine')).body.code).toBe('wrong_password')
    expect(await verifiedAt(person)).toBeNull()
    expect((await verify(link)).status).toBe(204)
    expect(await verifiedAt(person)).toEqual(expect.any(String))
    expect((await verify(link)).body.code).toBe('link_not_open')
    expect((await signIn(email)).body.user.id).toBe(person.userId)
    expect(await app.audited(owner)).toContain('email.verified')
  })

  test('gets another link when it asks, three in an hour; the earlier one is void', async () => {
    const { owner, email, person, verify: first } = await aSquatter()
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await person.post('/profile/email/verify-request')).status),
    )
    expect(statuses.sort()).toEqual([200, 200, 422])
    expect((await person.post('/profile/email/verify-request')).body.code).toBe('sent_too_often')
    expect((await verify(first)).status).toBe(422)
    await platform.query(
      `update email_verifications set sent_at = array(select s - interval '1 hour' from unnest(sent_at) s)
       where user_id = $1`,
      [person.userId],
    )
    expect((await person.post('/profile/email/verify-request')).status).toBe(200)
    expect((await verify(await linkTo(owner, 'email_verify', email))).status).toBe(204)
    expect((await person.post('/profile/email/verify-request')).body.code).toBe('already_verified')
  })

  test('joins no other team by the shown token; by the mailed one it joins and is proven', async () => {
    const { email, person } = await aSquatter()
    const elsewhere = await anInvitation(email)
    expect((await person.post('/profile/invitations/accept', { token: elsewhere.shown })).body.code).toBe(
      'email_unverified',
    )
    expect((await person.post('/profile/invitations/accept', { token: elsewhere.mailed })).status).toBe(200)
    expect(await verifiedAt(person)).toEqual(expect.any(String))
  })

  test('gets no digest until its address is proven', async () => {
    const { owner, person, verify: link } = await aSquatter()
    await person.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
    await person.patch('/profile', { digest: 'daily' })
    const digestsOf = async () => {
      await platform.query('update users set digest_at = clock_timestamp() where id = $1', [person.userId])
      await sendDue(app.services, digests)
      return (await mailsOf(owner)).filter(({ type }) => type === 'digest').length
    }
    expect(await digestsOf()).toBe(0)
    await verify(link)
    expect(await digestsOf()).toBe(1)
  })

  test('is shown no invitations to its address from other teams', async () => {
    const { owner, email, person } = await aSquatter()
    await anInvitation(email)
    const { body } = await person.get('/profile/export')
    expect(body.data.invitations_received.map((each: { tenant_id: string }) => each.tenant_id)).toEqual([
      owner.tenantId,
    ])
  })

  test('erased, leaves the invitations of other teams to its address alone', async () => {
    const { email, person } = await aSquatter()
    const elsewhere = await anInvitation(email)
    expect((await person.delete('/profile', { password })).status).toBe(200)
    expect((await ask('/invitations/lookup', { token: elsewhere.mailed })).status).toBe(200)
  })
})

describe('a proven reset', () => {
  test('replaces an unverified account: password, second factor, tokens, sessions and pending changes go', async () => {
    const { owner, email, person } = await aSquatter()
    const key = (await person.post('/api-tokens', { name: 'squatter', scopes: ['monitors:read'] })).body
      .plain_text_token
    const service = (await person.post('/api-keys', { name: 'squatter', scopes: ['monitors:read'] })).body
      .plain_text_token
    await person.post('/profile/email', { email: anAddress(), password })
    const pending = (await mailsOf(owner)).find(({ type }) => type === 'email_change_verify')
    await platform.query(`insert into second_factors (user_id, secret, confirmed_at) values ($1, 'x', now())`, [
      person.userId,
    ])

    expect((await byReset(owner, email)).status).toBe(204)
    for (const token of [person.token, key, service])
      expect((await new CallerUnderTest(owner.tenantId, null, token).get('/monitors')).status).toBe(401)
    expect((await ask('/auth/email/confirm', { token: tokenIn(pending!.data.confirm_url) })).status).toBe(422)
    expect((await signIn(email)).status).toBe(401)
    const { status, body } = await signIn(email, { password: another })
    expect([status, body.user.tenant_id]).toEqual([201, owner.tenantId])
    const replaced = new CallerUnderTest(owner.tenantId, body.user.id, body.token)
    expect(await verifiedAt(replaced)).toEqual(expect.any(String))
  })

  test('of an address with several unverified accounts gathers their teams in one', async () => {
    const email = anAddress()
    const squatters = [await aSquatter(email), await aSquatter(email)]
    await ask('/auth/password/forgot', { email })
    const mails = (await Promise.all(squatters.map(({ owner }) => linkTo(owner, 'password_reset', email)))).filter(
      Boolean,
    )
    expect(mails).toHaveLength(1)
    expect((await ask('/auth/password/reset', { token: mails[0], password: third })).status).toBe(204)
    const { body } = await signIn(email, { password: third })
    const person = new CallerUnderTest(body.user.tenant_id, body.user.id, body.token)
    const teams = (await person.get('/profile')).body.data.teams.map((team: { tenant_id: string; role: string }) => [
      team.tenant_id,
      team.role,
    ])
    expect(teams.sort()).toEqual(squatters.map(({ owner }) => [owner.tenantId, 'admin']).sort())
    expect((await platform.query('select 1 from users where email = $1', [email])).rowCount).toBe(1)
    for (const squatter of squatters) expect((await squatter.person.get('/user')).status).toBe(401)
    expect((await signIn(email)).status).toBe(401)
  })

  test('of a verified account leaves unverified ones of its address where they are', async () => {
    const home = await given.tenant()
    const { email, userId } = await aPersonIn(home.tenantId)
    const squatter = await aSquatter(email, third)
    expect((await byReset(home, email)).status).toBe(204)
    const { body } = await signIn(email, { password: another })
    expect(body.user.id).toBe(userId)
    const person = new CallerUnderTest(home.tenantId, userId, body.token)
    expect((await person.get('/profile')).body.data.teams).toHaveLength(1)
    expect((await squatter.person.get('/user')).status).toBe(200)
  })
})

describe('a proven invitation', () => {
  test('replaces an unverified account of the address', async () => {
    const { owner, email, person } = await aSquatter()
    await platform.query(`insert into second_factors (user_id, secret, confirmed_at) values ($1, 'x', now())`, [
      person.userId,
    ])
    const invited = await anInvitation(email)
    expect((await ask('/invitations/lookup', { token: invited.mailed })).body.data.has_account).toBe(false)
    const accepted = await accept(invited.mailed, { name: 'Tia True', password: another })
    expect(accepted.status).toBe(201)
    expect((await accepted.person.get('/profile')).body.data).toMatchObject({
      name: 'Tia True',
      email_verified_at: expect.any(String),
      mfa_enabled: false,
    })
    expect(
      (await accepted.person.get('/profile')).body.data.teams.map((team: { tenant_id: string }) => team.tenant_id),
    ).toEqual([owner.tenantId, invited.owner.tenantId])
    expect((await person.get('/user')).status).toBe(401)
    expect((await signIn(email)).status).toBe(401)
  })

  test('a verified account needs its password, and replaces an unverified one in that team', async () => {
    const { email, userId } = await aPersonIn((await given.tenant()).tenantId)
    const invited = await anInvitation(email)
    const inTeam = `insert into users (id, name, email, home_tenant_id)
      values (gen_random_uuid(), 'Squatter', $1, $2) returning id`
    const { rows } = await platform.query<{ id: string }>(inTeam, [email, invited.owner.tenantId])
    await platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'admin')`, [
      rows[0]!.id,
      invited.owner.tenantId,
    ])
    expect((await accept(invited.mailed, { password: another })).status).toBe(401)
    const accepted = await accept(invited.mailed)
    expect([accepted.status, accepted.person.userId]).toEqual([201, userId])
    const members = (await invited.owner.get('/members')).body.data
    expect(members.filter((member: { email: string }) => member.email === email)).toMatchObject([{ id: userId }])
  })
})

describe('a team that is founded for an address', () => {
  const found = async (email: string) => {
    const reseller = await given.reseller()
    const slug = `t-${crypto.randomUUID()}`
    const answer = await reseller.post('/reseller/managed-teams', {
      name: 'Founded',
      plan: 'pro',
      slug,
      admin_email: email,
      admin_password: another,
      admin_name: 'Ada',
    })
    return { ...answer, reseller, tenantId: answer.body.data?.tenant_id as string, id: answer.body.data?.id as string }
  }

  test('is refused for an account that has not proven its address; the person is invited and gets it', async () => {
    const { email } = await aSquatter()
    const refused = await found(email)
    expect([refused.status, refused.body.code, Object.keys(refused.body.errors)]).toEqual([
      422,
      'taken',
      ['admin_email'],
    ])
    const founded = await found(anAddress())
    const path = `/reseller/managed-teams/${founded.id}/members`
    const added = await founded.reseller.post(path, { name: 'Ada', email, password: another })
    expect([added.status, added.body.code]).toEqual([422, 'taken'])

    const invitation = await founded.reseller.post(`/reseller/managed-teams/${founded.id}/invitations`, {
      email,
      role: 'owner',
    })
    expect(invitation.status).toBe(201)
    expect((await accept(await linkTo(founded, 'invitation', email), { password: another })).status).toBe(201)
    const { status, body } = await signIn(email, { password: another, tenant_id: founded.tenantId })
    expect([status, body.user.role]).toEqual([201, 'owner'])
    // the password of the account that had not proven the address opens nothing any more
    expect((await signIn(email)).status).toBe(401)
  })

  test('of two teams with the address of one owner at once has one, and one is refused', async () => {
    const email = anAddress()
    const answers = await Promise.all([found(email), found(email)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
  })

  test('is refused for a verified account', async () => {
    const { email } = await aPersonIn((await given.tenant()).tenantId)
    const { status, body } = await found(email)
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'taken', ['admin_email']])
  })

  test('has an owner who is unverified until proven, and so has a member whom a reseller adds', async () => {
    const founded = await found(anAddress())
    const path = `/reseller/managed-teams/${founded.id}/members`
    const email = anAddress()
    const added = await founded.reseller.post(path, { name: 'Ben', email, password: another })
    expect(added.status).toBe(201)
    const members = (await founded.reseller.get(path)).body.data
    expect(members.map((member: { email_verified_at: string | null }) => member.email_verified_at)).toEqual([
      null,
      null,
    ])
    expect(
      (await founded.reseller.post(path, { name: 'Ben', email: email.toUpperCase(), password: another })).body.code,
    ).toBe('taken')
    expect((await verify(await linkTo(founded, 'email_verify', email), another)).status).toBe(204)
  })
})

describe('an inviter who has seen the token', () => {
  test('cannot find out by it who has an account, and gets into none', async () => {
    const { email, userId } = await aPersonIn((await given.tenant()).tenantId)
    const [known, unknown] = [await anInvitation(email), await anInvitation()]
    const [seenKnown, seenUnknown] = await Promise.all(
      [known, unknown].map(({ shown }) => ask('/invitations/lookup', { token: shown })),
    )
    expect([seenKnown!.body.data.has_account, seenUnknown!.body.data.has_account]).toEqual([null, null])

    const withoutName = { name: undefined, password: third }
    for (const { shown } of [known, unknown]) expect((await accept(shown, withoutName)).status).toBe(401)
    const answers = [await accept(known.shown, { password: third }), await accept(unknown.shown, { password: third })]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    for (const { person } of answers) expect(await verifiedAt(person)).toBeNull()
    expect(answers[0]!.person.userId).not.toBe(userId)
    for (const address of [known.email, unknown.email])
      expect((await signIn(address, { password: third })).status).toBe(201)
    expect((await signIn(email)).body.user.id).toBe(userId)
  })

  test('goes to a person with an account, who joins with the password of that account', async () => {
    const { email, userId } = await aPersonIn((await given.tenant()).tenantId)
    for (const fields of [{ name: undefined }, {}]) {
      const accepted = await accept((await anInvitation(email)).shown, fields)
      expect([accepted.status, accepted.person.userId]).toEqual([201, userId])
    }
  })
})

test('of two accounts of one address that are proven at once one remains, with both teams', async () => {
  const email = anAddress()
  const squatters = [await aSquatter(email), await aSquatter(email)]
  const answers = await Promise.all(squatters.map(({ verify: link }) => verify(link)))
  expect(answers.map(({ status }) => status)).toEqual([204, 204])
  const { rows } = await platform.query(
    `select u.email_verified_at is not null as proven, count(*)::int as teams from users u
     join memberships m on m.user_id = u.id where u.email = $1 group by u.id`,
    [email],
  )
  expect(rows).toEqual([{ proven: true, teams: 2 }])
})
