import type { RequestListener, ServerResponse } from 'node:http'
import { Authority } from '#test/checks/certificates.ts'
import { http, https, type Local } from '#test/checks/servers.ts'

const html = (body: string) => `<!doctype html><title>x</title>${body}`
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)
const chapters = 24

/** A shop over https with every sort of link, another site beside it, and a private listener that must not be reached. */
export class CrawledSite implements AsyncDisposable {
  readonly asked = new Map<string, number>()
  readonly authority: Authority
  readonly url: string
  readonly other: string
  privateHits = 0
  #flaky = 0
  readonly #servers: Local[]

  private constructor(authority: Authority, shop: Local, other: Local, hidden: Local) {
    this.authority = authority
    this.#servers = [shop, other, hidden]
    this.url = `https://127.0.0.1:${shop.port}`
    this.other = `http://127.0.0.1:${other.port}`
  }

  static async open(): Promise<CrawledSite> {
    const authority = await Authority.make()
    const identity = await authority.issue({ addresses: ['127.0.0.1'] })
    let site: CrawledSite | undefined
    const shop = await https(identity, (request, response) => site?.answer(request.url ?? '/', response))
    const other = await http(elsewhere)
    const hidden = await http((_, response) => {
      if (site) site.privateHits++
      response.end('secret')
    }, '127.0.0.2')
    site = new CrawledSite(authority, shop, other, hidden)
    site.#private = `http://127.0.0.2:${hidden.port}`
    return site
  }

  #private = ''

  answer(path: string, response: ServerResponse) {
    this.asked.set(path, (this.asked.get(path) ?? 0) + 1)
    const say = (body: string, type = 'text/html') => response.writeHead(200, { 'content-type': type }).end(body)
    const [, chapter] = /^\/chapter\/(\d+)$/.exec(path) ?? []
    if (path === '/robots.txt') return say('User-agent: *\nDisallow: /private', 'text/plain')
    if (path === '/') return say(html(this.#start()))
    if (chapter !== undefined)
      return say(
        html(
          Number(chapter) + 1 < chapters ? `<a href="${Number(chapter) + 1}">next</a><a href="/">home</a>` : 'the end',
        ),
      )
    if (path.startsWith('/calendar/'))
      return say(html(`<a href="/calendar/2026/${Number(path.split('/').at(-1)) + 1}">next day</a>`))
    if (path.startsWith('/search?'))
      return say(
        html(
          numbers(50)
            .map(number => `<a href="/search?q=${path.length}${number}">more</a>`)
            .join(''),
        ),
      )
    if (path === '/deeper/' || path.startsWith('/deeper/deeper')) return say(html('<a href="deeper/">deeper</a>'))
    if (path === '/mixed') return say(html(this.#mixed()))
    if (path === '/upgraded')
      return response
        .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': 'upgrade-insecure-requests' })
        .end(this.#mixed())
    if (path === '/malformed') return say(`<<<a href="/only/here"<b><a href='/chapter/1>`.repeat(50))
    if (path === '/many')
      return say(
        html(
          numbers(100_000)
            .map(number => `<a href="/m${number}">`)
            .join(''),
        ),
      )
    if (path === '/endless') return pour(response)
    if (path === '/moved') return response.writeHead(301, { location: '/chapter/0' }).end()
    if (path === '/circle/a') return response.writeHead(302, { location: '/circle/b' }).end()
    if (path === '/circle/b') return response.writeHead(302, { location: '/circle/a' }).end()
    if (path === '/inside') return response.writeHead(302, { location: `${this.#private}/redirected` }).end()
    if (path === '/flaky' && ++this.#flaky === 1) return response.writeHead(503).end()
    if (path === '/flaky' || path === '/here.png') return say('ok', path === '/flaky' ? 'text/html' : 'image/png')
    if (path === '/style.css') return say('p { background: url(/missing-from-style.png) }', 'text/css')
    if (path === '/hangup') return response.destroy()
    return response.writeHead(404).end('not here')
  }

  #start(): string {
    const links = [
      // first: its second half must be found before /many uses up the limit of pages
      '/circle/a',
      'chapter/0',
      '/calendar/2026/1',
      '/search?q=0',
      '/deeper/',
      '/mixed',
      '/upgraded',
      '/malformed',
      '/many',
      '/endless',
      '/moved',
      '/inside',
      '/flaky',
      '/gone',
      '/hangup',
      '/private/area',
      'mailto:me@example.com',
      'javascript:void(0)',
      '#top',
      '/ignored/page',
      this.other,
      `${this.other}/missing`,
      `${this.other}/forbidden`,
      `${this.other}/no-head`,
      `${this.#private}/secret`,
      'http://169.254.169.254/latest/meta-data/',
      'http://nowhere.invalid/',
    ]
    const anchors = links.map(href => `<a href="${href}">to ${href}</a>`).join('\n')
    const picture = `<img src="${this.#private}/picture.png">`
    return `<link rel=stylesheet href="/style.css"><img src="/here.png">${picture}${anchors}`
  }

  #mixed(): string {
    return (
      `<script src="${this.other}/s.js"></script><img src="${this.other}/p.png">` +
      `<form action="${this.other}/send"><input></form>`
    )
  }

  async [Symbol.asyncDispose]() {
    for (const server of this.#servers) await server[Symbol.asyncDispose]()
  }
}

const elsewhere: RequestListener = (request, response) => {
  if (request.url === '/forbidden') return response.writeHead(403).end()
  if (request.url === '/no-head') return request.method === 'HEAD' ? response.destroy() : response.end('ok')
  return response.writeHead(request.url === '/missing' ? 404 : 200).end('ok')
}

/** Continues until the connection is closed. */
function pour(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/html' })
  const more = () => {
    while (!response.destroyed && response.write('<p>and on and on</p>'.repeat(1_000)));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}
