import { expect, test } from 'vitest'
import { RouteTable } from '#control-plane/http/route-table.ts'

test('whole hosts go before all routes, and folders after them', () => {
  const table = new RouteTable<string>()
  table.add('GET', '/pages/{page}', 'a page')
  table.addHosts(host => host === 'portal.example', 'portal')
  table.addFolder('/pages/', 'below pages')
  table.addFolder('/pages', 'pages alone')
  const at = (host: string, method: string, path: string) => table.at(host, method, path)?.target
  expect(at('portal.example', 'GET', '/pages/acme')).toBe('portal')
  expect(at('portal.example', 'POST', '/')).toBe('portal')
  expect(at('vedette.example', 'GET', '/pages/acme')).toBe('a page')
  expect(at('vedette.example', 'POST', '/pages/acme')).toBe('below pages')
  expect(at('', 'GET', '/pages/acme/more')).toBe('below pages')
  expect(at('', 'GET', '/pages')).toBe('pages alone')
  expect(at('', 'GET', '/pagesandmore')).toBeUndefined()
  expect(table.methods('/pages/acme')).toEqual(['GET'])
  expect(table.methods('/pages')).toEqual([])
})

test('a name goes before a parameter, and one path is declared once', () => {
  const table = new RouteTable<string>()
  table.add('GET', '/things/{thing}', 'by id')
  table.add('GET', '/things/all', 'all')
  expect(table.find('GET', '/things/all')).toEqual({ target: 'all', params: {} })
  expect(table.find('GET', '/things/7')).toEqual({ target: 'by id', params: { thing: '7' } })
  expect(table.find('GET', '/things/')).toBeUndefined()
  expect(() => table.add('GET', '/things/{other}', 'again')).toThrow('GET /things/{other} is declared twice.')
})
