import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { aVerifiedDomain } from '#test/control-plane/identity/sso/scene.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'
import { aTeamWithDirectory, coreUser, directoryOf, errorOf, newPerson, patchOf, scim } from './directory.ts'

const { platform } = app.services

describe('a directory that provisions people', () => {
  test('creates a member, whom it finds by user name, external id and address', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const person = newPerson({ roles: [{ value: 'viewer', primary: true }] })
    const made = await directory.post(`${scim}/Users`, person, {
      headers: { 'Content-Type': 'application/scim+json' },
    })
    expect(made.status, made.text).toBe(201)
    expect(made.headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    expect(made.body).toMatchObject({
      schemas: [coreUser],
      userName: person.userName,
      externalId: person.externalId,
      name: { givenName: 'Test', familyName: 'User', formatted: 'Test User' },
      displayName: 'Test User',
      active: true,
      emails: [{ value: person.userName, type: 'work', primary: true }],
      roles: [{ value: 'viewer', primary: true }],
      meta: { resourceType: 'User' },
    })
    const { id, meta } = made.body
    expect(meta.location).toBe(`${app.services.config.baseUrl}${scim}/Users/${id}`)
    expect(made.headers.get('location')).toBe(meta.location)
    expect((await directory.get(`${scim}/Users/${id}`)).body).toEqual(made.body)
    expect((await owner.get(`/members/${id}`)).body.data).toMatchObject({
      name: 'Test User',
      email: person.userName,
      email_verified_at: null,
      role: 'viewer',
      status: 'active',
    })
    expect((await mailsOf(owner)).map(mail => mail.type)).toContain('email_verify')
    expect(await app.emitted(owner)).toContain('member.added')
    expect(await app.audited(owner)).toEqual(['scim_token.created', 'member.added'])
    for (const filter of [
      `userName eq "${person.userName.toUpperCase()}"`,
      `externalId eq "${person.externalId}"`,
      `emails[type eq "work"].value eq "${person.userName}"`,
      `emails.value eq "${person.userName}" and active eq true`,
      `id eq "${id}"`,
    ]) {
      const found = await directory.get(`${scim}/Users?filter=${encodeURIComponent(filter)}`)
      expect(found.body, filter).toMatchObject({ totalResults: 1, itemsPerPage: 1, startIndex: 1, Resources: [{ id }] })
    }
    for (const filter of [
      `externalId eq "${person.externalId.toUpperCase()}"`,
      'userName eq "unknown"',
      'userName eq 7',
      `id eq "7"`,
      `emails[type eq "home"].value eq "${person.userName}"`,
      `userName eq "${person.userName}" and active eq false`,
      'userName eq "a\\u0000b"',
    ]) {
      const found = await directory.get(`${scim}/Users?filter=${encodeURIComponent(filter)}`)
      expect(found.body, filter).toMatchObject({ totalResults: 0, Resources: [] })
    }
  })

  test('finds the people who were members before, and gives them its own names', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const { userId } = await given.colleague(owner, 'member')
    const email = `${userId}@people.test`
    const found = await directory.get(`${scim}/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`)
    expect(found.body.Resources).toMatchObject([{ id: userId, userName: email, displayName: 'Pat Person' }])
    const linked = await directory.patch(
      `${scim}/Users/${userId}`,
      patchOf(
        { op: 'Add', path: 'externalId', value: 'e-1' },
        { op: 'Replace', path: 'userName', value: 'pat@corp.test' },
        { op: 'Add', path: 'name.givenName', value: 'Patricia' },
        { op: 'Add', path: 'name.familyName', value: 'Person' },
      ),
    )
    expect(linked.body).toMatchObject({ externalId: 'e-1', userName: 'pat@corp.test', displayName: 'Patricia Person' })
    expect((await owner.get(`/members/${userId}`)).body.data).toMatchObject({ name: 'Patricia Person', email })
    const replaced = await directory.put(`${scim}/Users/${userId}`, { userName: 'pat@corp.test', active: true })
    expect(replaced.body).not.toHaveProperty('externalId')
    expect(replaced.body.roles).toEqual([{ value: 'member', primary: true }])
  })

  test('pages through all, with values out of range as RFC 7644 has them', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    await given.colleague(owner, 'member')
    await given.colleague(owner, 'viewer')
    const page = async (query: string) => {
      const { body } = await directory.get(`${scim}/Users?${query}`)
      return [body.totalResults, body.startIndex, body.itemsPerPage, body.Resources.length]
    }
    expect(await page('')).toEqual([3, 1, 3, 3])
    expect(await page('startIndex=2&count=1')).toEqual([3, 2, 1, 1])
    expect(await page('startIndex=0&count=2')).toEqual([3, 1, 2, 2])
    expect(await page('startIndex=-5')).toEqual([3, 1, 3, 3])
    expect(await page('startIndex=4')).toEqual([3, 4, 0, 0])
    expect(await page('count=0')).toEqual([3, 1, 0, 0])
    expect(await page('count=-1')).toEqual([3, 1, 0, 0])
    expect(await page('count=999999999')).toEqual([3, 1, 3, 3])
    expect(errorOf(await directory.get(`${scim}/Users?count=x`))).toEqual([400, 'invalidValue'])
    expect(errorOf(await directory.get(`${scim}/Users?filter=title%20eq%20%22x%22`))).toEqual([400, 'invalidFilter'])
    expect(errorOf(await directory.get(`${scim}/Users?filter=userName%20co%20%22x%22`))).toEqual([400, 'invalidFilter'])
  })

  test('changes a role, and the person is notified by mail', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const { userId } = await given.colleague(owner, 'member')
    const changed = await directory.patch(
      `${scim}/Users/${userId}`,
      patchOf({ op: 'Replace', path: 'roles[primary eq "True"].value', value: 'admin' }),
    )
    expect(changed.body.roles).toEqual([{ value: 'admin', primary: true }])
    expect((await mailsOf(owner)).map(mail => mail.type)).toContain('security_role_changed')
    expect(await app.audited(owner)).toContain('member.role_changed')
    expect(
      (await directory.patch(`${scim}/Users/${userId}`, patchOf({ op: 'remove', path: 'roles' }))).body.roles,
    ).toEqual([{ value: 'member', primary: true }])
    for (const role of ['owner', 'king'])
      expect(
        errorOf(await directory.patch(`${scim}/Users/${userId}`, patchOf({ op: 'add', path: 'roles', value: role }))),
      ).toEqual([400, 'invalidValue'])
  })

  test('changes nothing that another changed meanwhile, where it names the version it read', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const { userId } = await given.colleague(owner, 'member')
    const path = `${scim}/Users/${userId}`
    const read = await directory.get(path)
    const etag = read.headers.get('etag') ?? ''
    expect(etag).toBe(read.body.meta.version)
    expect((await directory.get(path, { headers: { 'If-None-Match': etag } })).status).toBe(304)
    const rename = patchOf({ op: 'replace', path: 'displayName', value: 'A' })
    const changed = await directory.patch(path, rename, { headers: { 'If-Match': etag } })
    expect(changed.status, changed.text).toBe(200)
    expect((await directory.get(path)).headers.get('etag')).toBe(changed.body.meta.version)
    expect((await directory.patch(path, rename, { headers: { 'If-Match': etag } })).status).toBe(412)
    expect((await directory.delete(path, undefined, { headers: { 'If-Match': etag } })).status).toBe(412)
  })

  test('removes a member, whose account stays', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const colleague = await given.colleague(owner, 'member')
    const path = `${scim}/Users/${colleague.userId}`
    expect((await directory.delete(path)).status).toBe(204)
    expect((await directory.get(path)).status).toBe(404)
    expect((await directory.delete(path)).status).toBe(404)
    expect((await colleague.get('/user')).status).toBe(401)
    expect(await app.audited(owner)).toContain('member.removed')
    const { rows } = await platform.query('select 1 from users where id = $1', [colleague.userId])
    expect(rows).toHaveLength(1)
  })

  test('receives errors in the format of SCIM', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const person = newPerson()
    const { body } = await directory.post(`${scim}/Users`, person)
    expect(errorOf(await directory.post(`${scim}/Users`, person))).toEqual([409, 'uniqueness'])
    const other = newPerson({ emails: [{ value: person.userName.toUpperCase() }] })
    expect(errorOf(await directory.post(`${scim}/Users`, other))).toEqual([409, 'uniqueness'])
    const { userId } = await given.colleague(owner, 'member')
    expect(
      errorOf(
        await directory.patch(
          `${scim}/Users/${userId}`,
          patchOf({ op: 'add', path: 'userName', value: person.userName }),
        ),
      ),
    ).toEqual([409, 'uniqueness'])
    for (const wrong of [{}, { userName: 'no address' }, { userName: 7 }, newPerson({ active: 'perhaps' })])
      expect(errorOf(await directory.post(`${scim}/Users`, wrong))).toEqual([400, 'invalidValue'])
    expect(errorOf(await directory.put(`${scim}/Users/${body.id}`, {}))).toEqual([400, 'invalidValue'])
    expect(errorOf(await directory.post(`${scim}/Users`, '{"userName":'))).toEqual([400, 'invalidSyntax'])
    expect(
      errorOf(
        await directory.patch(
          `${scim}/Users/${body.id}`,
          patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value: 'new@people.test' }),
        ),
      ),
    ).toEqual([400, 'mutability'])
    for (const path of ['Users/7', `Users/${randomUUID()}`, 'Groups', 'Schemas/x', 'ResourceTypes/Group', 'Bulk'])
      expect([path, (await directory.get(`${scim}/${path}`)).status]).toEqual([path, 404])
    const wrongMethod = await directory.patch(`${scim}/Users`, {})
    expect([wrongMethod.status, wrongMethod.body.schemas]).toEqual([
      405,
      ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ])
    const large = await directory.post(`${scim}/Users`, newPerson({ title: 'x'.repeat(300_000) }))
    expect(large.status).toBe(413)
  })

  test('receives the names of fields that are not kept', async () => {
    const { directory } = await aTeamWithDirectory()
    const made = await directory.post(`${scim}/Users`, newPerson({ title: 'Dr.', 'urn:x:y': { department: 'Sales' } }))
    expect(made.headers.get('x-ignored-fields')).toBe('title, urn%3Ax%3Ay')
  })

  test('describes itself', async () => {
    const { directory } = await aTeamWithDirectory()
    expect((await directory.get(`${scim}/ServiceProviderConfig`)).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
    })
    expect((await directory.get(`${scim}/ResourceTypes`)).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: 'User', endpoint: '/Users', schema: coreUser }],
    })
    const schema = (await directory.get(`${scim}/Schemas/${coreUser}`)).body
    expect((await directory.get(`${scim}/Schemas`)).body.Resources).toEqual([schema])
    expect((await directory.get(`${scim}/ResourceTypes/User`)).status).toBe(200)
  })
})

describe('what a directory may not do', () => {
  test('is to see or change a person of another team, or to act without its token', async () => {
    const { directory } = await aTeamWithDirectory()
    const { owner: foreign, directory: foreignDirectory } = await aTeamWithDirectory()
    const { userId } = await given.colleague(foreign, 'member')
    const path = `${scim}/Users/${userId}`
    const before = (await foreignDirectory.get(path)).text
    expect((await directory.get(path)).status).toBe(404)
    expect((await directory.patch(path, patchOf({ op: 'replace', path: 'active', value: false }))).status).toBe(404)
    expect((await directory.put(path, newPerson({ active: false }))).status).toBe(404)
    expect((await directory.delete(path)).status).toBe(404)
    const filter = encodeURIComponent(`userName eq "${userId}@people.test"`)
    expect((await directory.get(`${scim}/Users?filter=${filter}`)).body.totalResults).toBe(0)
    expect((await directory.get(`${scim}/Users`)).body.totalResults).toBe(1)
    const headers = { 'X-Tenant-Id': foreign.tenantId }
    expect((await directory.get(path, { headers })).status).toBe(404)
    expect((await foreignDirectory.get(path)).text).toBe(before)
    for (const caller of [foreign, given.stranger(), await given.token(foreign, 'sk', ['team:manage'])]) {
      const refused = await caller.get(`${scim}/Users`)
      expect([refused.status, refused.body.status]).toEqual([401, '401'])
    }
    expect((await directory.get('/members')).status).toBe(401)
  })

  test('is to touch an account of others by its address', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const stranger = await given.tenant()
    const address = `${stranger.userId}@people.test`
    const refused = await directory.post(
      `${scim}/Users`,
      newPerson({ userName: address, emails: [{ value: address }] }),
    )
    expect(errorOf(refused)).toEqual([409, 'uniqueness'])
    expect((await owner.get('/members')).body.meta.total).toBe(1)
  })

  test('is to add an account of others, but those of an e-mail domain that the team has proven', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const domain = await aVerifiedDomain(owner)
    const add = async (other: CallerUnderTest, address: string) => {
      await platform.query('update users set email = $2 where id = $1', [other.userId, address])
      return directory.post(`${scim}/Users`, newPerson({ userName: address, emails: [{ value: address }] }))
    }
    const other = await given.tenant()
    const added = await add(other, `pat@${domain}`)
    expect([added.status, added.body.id]).toEqual([201, other.userId])
    expect(added.body.displayName).toBe('Test User')
    expect((await owner.get(`/members/${other.userId}`)).body.data).toMatchObject({
      name: 'Pat Person',
      role: 'member',
    })
    expect((await other.get('/members')).body.meta.total, 'the own team stays').toBe(1)
    expect(errorOf(await add(await given.tenant(), `pat@sub.${domain}`))).toEqual([409, 'uniqueness'])
    const operator = await given.operator()
    expect((await add(operator, `operator@${domain}`)).status).toBe(403)
    const reseller = await given.reseller()
    expect((await add(reseller, `reseller@${domain}`)).status).toBe(403)
    const { directory: another } = await aTeamWithDirectory()
    const address = `pat@${domain}`
    expect(errorOf(await another.post(`${scim}/Users`, newPerson({ userName: address, emails: [] })))).toEqual([
      409,
      'uniqueness',
    ])
  })

  test('is to rename the account of a person who is in other teams too', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const other = await given.tenant()
    const { userId } = await given.colleague(owner, 'member')
    await platform.query('insert into memberships (user_id, tenant_id, role) values ($1, $2, $3)', [
      userId,
      other.tenantId,
      'member',
    ])
    const path = `${scim}/Users/${userId}`
    const renamed = await directory.patch(path, patchOf({ op: 'replace', path: 'displayName', value: 'Someone Else' }))
    expect(renamed.body.displayName).toBe('Someone Else')
    expect((await owner.get(`/members/${userId}`)).body.data.name).toBe('Pat Person')
  })

  test('is to deactivate or remove the last owner, or any owner by a token that no owner created', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const path = `${scim}/Users/${owner.userId}`
    const deactivate = patchOf({ op: 'replace', path: 'active', value: false })
    expect(errorOf(await directory.patch(path, deactivate))).toEqual([400, 'mutability'])
    expect(errorOf(await directory.patch(path, patchOf({ op: 'add', path: 'roles', value: 'viewer' })))).toEqual([
      400,
      'mutability',
    ])
    expect(errorOf(await directory.delete(path))).toEqual([400, 'mutability'])
    const second = await given.colleague(owner, 'owner')
    const admins = await directoryOf(await given.colleague(owner, 'admin'))
    expect((await admins.patch(`${scim}/Users/${second.userId}`, deactivate)).status).toBe(403)
    expect((await admins.delete(`${scim}/Users/${second.userId}`)).status).toBe(403)
    expect((await directory.patch(`${scim}/Users/${second.userId}`, deactivate)).body.active).toBe(false)
    expect(errorOf(await directory.patch(path, deactivate))).toEqual([400, 'mutability'])
  })

  test('is to change an operator, or a person of a reseller in another team', async () => {
    const { owner, directory } = await aTeamWithDirectory()
    const operator = await given.colleague(owner, 'member')
    await platform.query('update users set is_super_admin = true where id = $1', [operator.userId])
    const reseller = await given.reseller()
    await platform.query('insert into memberships (user_id, tenant_id, role) values ($1, $2, $3)', [
      reseller.userId,
      owner.tenantId,
      'member',
    ])
    const deactivate = patchOf({ op: 'replace', path: 'active', value: false })
    for (const { userId } of [operator, reseller]) {
      expect((await directory.patch(`${scim}/Users/${userId}`, deactivate)).status).toBe(403)
      expect((await directory.delete(`${scim}/Users/${userId}`)).status).toBe(403)
      const named = await directory.patch(
        `${scim}/Users/${userId}`,
        patchOf({ op: 'replace', path: 'displayName', value: 'Else' }),
      )
      expect(named.status).toBe(403)
    }
  })

  test('is to go beyond the seats of the plan, or to add people without the feature', async () => {
    const { owner, directory } = await aTeamWithDirectory({ team_members: 2 })
    expect((await directory.post(`${scim}/Users`, newPerson())).status).toBe(201)
    const beyond = await directory.post(`${scim}/Users`, newPerson())
    expect([beyond.status, beyond.body.detail]).toEqual([
      403,
      'team_members: The plan allows 2 team members, there are 2.',
    ])
    await platform.query(`update tenants set feature_overrides = '{"sso": false}' where id = $1`, [owner.tenantId])
    expect((await directory.post(`${scim}/Users`, newPerson())).status).toBe(403)
    const { userId } = await given.colleague(owner, 'member')
    const deactivate = patchOf({ op: 'replace', path: 'active', value: false })
    expect((await directory.patch(`${scim}/Users/${userId}`, deactivate)).body.active).toBe(false)
    await platform.query('update tenants set suspended_at = now() where id = $1', [owner.tenantId])
    expect((await directory.get(`${scim}/Users`)).status).toBe(403)
  })
})

describe('the token of a directory', () => {
  test('is shown once, is listed masked, and ends at once', async () => {
    const owner = await given.tenant({ overrides: { sso: true } })
    const made = await owner.post('/scim-tokens', { name: 'Okta' })
    expect(made.status, made.text).toBe(201)
    const { data, plain_text_token: token, base_url } = made.body
    expect(token).toMatch(/^sc-/)
    expect(base_url).toBe(`${app.services.config.baseUrl}${scim}`)
    expect(data).toMatchObject({
      name: 'Okta',
      masked_token: `sc-********${token.slice(-4)}`,
      created_by: owner.userId,
      last_used_at: null,
    })
    const directory = new CallerUnderTest(owner.tenantId, null, token)
    expect((await directory.get(`${scim}/Users`)).status).toBe(200)
    const listed = await owner.get('/scim-tokens')
    expect(listed.text).not.toContain(token)
    expect(listed.body.data).toMatchObject([{ id: data.id, last_used_at: expect.any(String) }])
    expect((await owner.delete(`/scim-tokens/${data.id}`)).status).toBe(204)
    expect((await directory.get(`${scim}/Users`)).status).toBe(401)
    expect((await owner.delete(`/scim-tokens/${data.id}`)).status).toBe(404)
    expect(await app.audited(owner)).toEqual(['scim_token.created', 'scim_token.deleted'])
  })

  test('needs the feature of the plan, and there are at most ten', async () => {
    const without = await given.tenant({ overrides: { sso: false } })
    const refused = await without.post('/scim-tokens', { name: 'x' })
    expect([refused.status, refused.body.code, refused.body.quota]).toEqual([403, 'not_in_plan', 'sso'])
    const { owner } = await aTeamWithDirectory()
    for (let made = 1; made < 10; made++) expect((await owner.post('/scim-tokens', { name: 'x' })).status).toBe(201)
    const beyond = await owner.post('/scim-tokens', { name: 'x' })
    expect([beyond.status, Object.keys(beyond.body.errors)]).toEqual([422, ['name']])
    expect((await owner.post('/scim-tokens', { name: '' })).status).toBe(422)
    expect((await owner.post('/scim-tokens', { name: 'x'.repeat(256) })).status).toBe(422)
  })
})

test('a person created by a directory sets a password, signs in, and is refused as soon as deactivated', async () => {
  const { directory } = await aTeamWithDirectory()
  const person = newPerson()
  const { body } = await directory.post(`${scim}/Users`, person)
  const password = 'correct horse battery staple 7'
  await platform.query('update users set password_hash = $2, email_verified_at = now() where id = $1', [
    body.id,
    await hashPassword(password),
  ])
  const signIn = () => given.stranger().post('/auth/token', { email: person.userName, password, device_name: 'x' })
  const { token } = (await signIn()).body
  const session = new CallerUnderTest('', body.id, token)
  expect((await session.get('/user')).status).toBe(200)
  await directory.patch(`${scim}/Users/${body.id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' }))
  expect((await session.get('/user')).status).toBe(401)
  expect((await signIn()).status).toBe(401)
  await directory.patch(`${scim}/Users/${body.id}`, patchOf({ op: 'Replace', path: 'active', value: 'True' }))
  expect((await session.get('/user')).status).toBe(401)
  expect((await signIn()).status).toBe(201)
})
