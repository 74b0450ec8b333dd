import type { RequestListener } from 'node:http'

/** A page that tries every way a browser has to reach `inside`, and a site that answers as it must for that. */
export function temptations(inside: string): RequestListener {
  const at = (path: string) => `http://${inside}/${path}`
  const pages: Record<string, string> = {
    '/': `<!doctype html><html lang="en"><head><title>A small page</title><meta name="viewport" content="width=device-width">
      <meta name="description" content="A page that requests inside addresses">
      <link rel="dns-prefetch" href="//inside.example"><link rel="preconnect" href="${at('')}"><link rel="prefetch" href="${at('prefetch')}">
      <link rel="stylesheet" href="${at('style')}"><script defer src="${at('script')}"></script>
      </head><body><h1>Hello</h1>
      <img alt="" width="1" height="1" src="${at('image')}"><img alt="" width="1" height="1" src="/moved">
      <video src="${at('video')}"></video><object data="${at('object')}"></object>
      <iframe title="a" src="${at('frame')}"></iframe><iframe title="b" src="/refresh"></iframe><iframe title="c" src="/form"></iframe>
      <iframe title="d" src="/header"></iframe>
      <script src="/ways.js"></script></body></html>`,
    '/refresh': `<meta http-equiv="refresh" content="0; url=${at('refresh')}">`,
    '/form': `<form method="post" action="${at('form')}"></form><script>document.forms[0].submit()</script>`,
    '/ways.js': `
      const hush = act => { try { Promise.resolve(act()).catch(() => {}) } catch {} }
      for (const mode of ['cors', 'no-cors']) hush(() => fetch('${at('fetch')}', { mode }))
      hush(() => fetch('/moved', { mode: 'no-cors' }))
      hush(() => { const ask = new XMLHttpRequest(); ask.open('GET', '${at('xhr')}'); ask.send() })
      hush(() => navigator.sendBeacon('${at('beacon')}', 'x'))
      hush(() => new WebSocket('ws://${inside}/socket'))
      hush(() => new WebSocket('wss://${inside}/socket'))
      hush(() => new EventSource('${at('events')}'))
      hush(() => new WebTransport('https://${inside}/transport').ready)
      hush(() => new Worker(URL.createObjectURL(new Blob(["fetch('${at('worker')}')"]))))
      hush(() => { open('${at('window')}') })
      hush(async () => {
        const iceServers = ['stun:${inside}', 'turn:${inside}?transport=udp', 'turn:${inside}?transport=tcp'].map(urls => ({ urls, username: 'x', credential: 'x' }))
        const peer = new RTCPeerConnection({ iceServers })
        peer.createDataChannel('x')
        await peer.setLocalDescription(await peer.createOffer())
        const [host, port] = '${inside}'.split(':')
        for (const protocol of ['udp', 'tcp'])
          hush(() => peer.addIceCandidate({ sdpMLineIndex: 0, candidate: 'candidate:1 1 ' + protocol + ' 2122260223 ' + host + ' ' + port + ' typ host' }))
      })`,
  }
  return (request, response) => {
    const path = request.url ?? ''
    if (path === '/moved') return void response.writeHead(302, { location: at('moved') }).end()
    if (path === '/header')
      return void response.writeHead(200, { 'content-type': 'text/html', refresh: `0; url=${at('header')}` }).end()
    const page = pages[path]
    if (page === undefined) return void response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8' })
      .end(page)
  }
}
