import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patchPerson } from '#control-plane/access/scim/patch.ts'
import { fullNameOf, mainOf, type Person, readPerson } from '#control-plane/access/scim/person.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { scimErrorOf } from '#control-plane/http/scim-error.ts'

const pat: Person = {
  userName: 'pat@example.com',
  externalId: 'e-1',
  displayName: null,
  name: { givenName: 'Pat', familyName: 'Person' },
  active: true,
  emails: [{ value: 'pat@example.com', type: 'work', primary: true }],
  roles: [{ value: 'member', primary: true }],
}
const patched = (...Operations: unknown[]) =>
  patchPerson(pat, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }, [])
const kindOf = (attempt: () => unknown): unknown => {
  try {
    return attempt() && 'taken'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return scimErrorOf(error).body.scimType
  }
}

describe('a SCIM patch', () => {
  test('of Entra ID deactivates by the text False, with names of operations in capitals', () => {
    expect(patched({ op: 'Replace', path: 'active', value: 'False' }).active).toBe(false)
    expect(patched({ op: 'replace', value: { active: 'false' } }).active).toBe(false)
    expect(patched({ op: 'Add', path: 'active', value: [true][0] }).active).toBe(true)
  })

  test('of Okta deactivates by an object without a path', () => {
    expect(patched({ op: 'replace', value: { active: false } }).active).toBe(false)
  })

  test('replaces the value of an address that a filter names, and adds one that is not there', () => {
    const path = 'emails[type eq "work"].value'
    expect(patched({ op: 'Replace', path, value: 'new@example.com' }).emails).toEqual([
      { value: 'new@example.com', type: 'work', primary: true },
    ])
    const home = patched({ op: 'Add', path: 'emails[type eq "home"].value', value: 'home@example.com' })
    expect(home.emails).toEqual([pat.emails?.[0], { type: 'home', value: 'home@example.com' }])
    expect(mainOf(home.emails)).toBe('pat@example.com')
    expect(kindOf(() => patched({ op: 'replace', path: 'emails[type eq "home"].value', value: 'x@y.test' }))).toBe(
      'noTarget',
    )
  })

  test('sets parts of a name by path and by dotted names', () => {
    const byPath = patched({ op: 'Replace', path: 'name.familyName', value: 'Smith' })
    expect(fullNameOf(byPath)).toBe('Pat Smith')
    const dotted = patched({ op: 'Add', value: { 'name.givenName': 'Alex', 'name.familyName': 'Doe' } })
    expect(fullNameOf(dotted)).toBe('Alex Doe')
    expect(fullNameOf(patched({ op: 'replace', value: { name: { familyName: 'Doe' } } }))).toBe('Pat Doe')
    expect(fullNameOf(patched({ op: 'add', path: 'displayName', value: 'P. Person' }))).toBe('P. Person')
    expect(patched({ op: 'remove', path: 'name.givenName' }).name).toEqual({ familyName: 'Person' })
  })

  test('gives one role in place of the other, in each of the forms that providers send', () => {
    for (const operation of [
      { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'admin' },
      {
        op: 'Add',
        path: 'roles',
        value: [{ primary: 'True', type: 'WindowsAzureActiveDirectoryRole', value: 'admin' }],
      },
      { op: 'add', value: { roles: ['admin'] } },
    ])
      expect(mainOf(patched(operation).roles), JSON.stringify(operation)).toBe('admin')
    expect(patched({ op: 'remove', path: 'roles' }).roles).toEqual([])
    expect(patched({ op: 'Remove', path: 'roles', value: [{ value: 'Member' }] }).roles).toEqual([])
  })

  test('names no case for attributes, and takes the schema before them', () => {
    const path = 'urn:ietf:params:scim:schemas:core:2.0:User:USERNAME'
    expect(patched({ OP: 'replace', Path: path, Value: 'x@example.com' }).userName).toBe('x@example.com')
  })

  test('ignores attributes that are not kept, and says so', () => {
    const ignored: string[] = []
    const urn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department'
    const operations = [
      { op: 'add', path: urn, value: 'Sales' },
      { op: 'add', path: 'title', value: 'Dr.' },
      { op: 'replace', value: { nickName: 'P', active: false } },
    ]
    expect(patchPerson(pat, { Operations: operations }, ignored)).toEqual({ ...pat, active: false })
    expect(ignored).toEqual([urn, 'title', 'nickName'])
  })

  test.each([
    ['mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['mutability', { op: 'replace', value: { meta: {} } }],
    ['mutability', { op: 'remove', path: 'userName' }],
    ['noTarget', { op: 'remove' }],
    ['invalidPath', { op: 'add', path: 'a b', value: 1 }],
    ['invalidPath', { op: 'add', path: 'userName[type eq "x"]', value: 'y' }],
    ['invalidPath', { op: 'add', path: 7, value: 'y' }],
    ['invalidFilter', { op: 'add', path: 'emails[type co "x"]', value: 'y' }],
    ['invalidSyntax', { op: 'move', path: 'active', value: true }],
    ['invalidSyntax', { path: 'active', value: true }],
    ['invalidValue', { op: 'replace', path: 'active', value: 'perhaps' }],
    ['invalidValue', { op: 'replace', path: 'userName', value: '' }],
    ['invalidValue', { op: 'replace', path: 'userName', value: 'x'.repeat(256) }],
    ['invalidValue', { op: 'replace', path: 'displayName', value: 'a\nb' }],
    ['invalidValue', { op: 'replace', value: ['active'] }],
    ['invalidValue', 'replace'],
  ])('is refused with %s: %j', (kind, operation) => {
    expect(kindOf(() => patched(operation))).toBe(kind)
  })

  test('needs a list of one to a hundred operations', () => {
    const one = { op: 'replace', path: 'active', value: true }
    expect(kindOf(() => patched())).toBe('invalidSyntax')
    expect(kindOf(() => patchPerson(pat, { Operations: one }, []))).toBe('invalidSyntax')
    expect(kindOf(() => patched(...Array.from({ length: 100 }, () => one)))).toBe('taken')
    expect(kindOf(() => patched(...Array.from({ length: 101 }, () => one)))).toBe('invalidValue')
  })

  test('of any JSON is either applied or refused as RFC 7644 says, and leaves what it was given', () => {
    const text = fc.oneof(
      fc.constantFrom('active', 'userName', 'emails', 'emails[type eq "work"].value', 'name.givenName', 'roles', 'id'),
      fc.string({ maxLength: 20 }),
    )
    const operation = fc.record(
      { op: fc.constantFrom('add', 'Replace', 'remove', 'x'), path: text, value: fc.oneof(text, fc.jsonValue()) },
      { requiredKeys: [] },
    )
    const before = structuredClone(pat)
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 4 }), operations => {
        expect(kindOf(() => patched(...operations))).not.toBe('server_error')
        expect(pat).toEqual(before)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what a provider says of a person', () => {
  test('is read as Okta and Entra ID document it', () => {
    const ignored: string[] = []
    const okta = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    expect(readPerson(okta, ignored)).toEqual({
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      externalId: '00ujl29u0le5T6Aj10h7',
      active: true,
    })
    expect(ignored).toEqual(['locale', 'password'])
  })

  test('of any JSON is read or refused', () => {
    const name = fc.constantFrom('userName', 'active', 'emails', 'roles', 'name', 'externalId', 'x')
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), body => {
        expect(['taken', 'invalidValue']).toContain(kindOf(() => readPerson(body, [])))
      }),
      { numRuns: 2_000 },
    )
  })
})
