import { describe, expect, test } from 'vitest'
import { readRobots as readForOurCrawler, robotName } from '#checks/crawl/robots.ts'
import { readRobots } from '#checks/robots-txt/rules.ts'

/** Each as RFC 9309 has it and, where that leaves a choice, as google/robotstxt reads it. */
const isAllowed = (text: string, agent: string, path: string) => readRobots(text).isAllowed(agent, path)
const only = (rules: string) => `User-agent: shopbot\n${rules}`

describe('a group', () => {
  const lists: [string, string][] = [
    ['a sitemap', 'Sitemap: https://example.com/s.xml'],
    ['a delay', 'Crawl-delay: 10'],
    ['a host', 'Host: example.com'],
    ['a parameter', 'Clean-param: ref /shop/'],
    ['a line of an unknown field', 'Request-policy: none'],
    ['a line without a field', 'please be kind'],
    ['a comment', '# the next one too'],
    ['a blank line', ''],
    ['a blank line with spaces', ' \t '],
    ['a field without a name', ': /'],
    ['noindex', 'Noindex: /drafts'],
  ]
  test.each(lists)('goes on over %s between its names', (_, line) => {
    const text = `User-agent: shopbot\n${line}\nUser-agent: other\nDisallow: /`
    expect(isAllowed(text, 'shopbot', '/a')).toBe(false)
    expect(isAllowed(text, 'other', '/a')).toBe(false)
    expect(isAllowed(text, 'third', '/a')).toBe(true)
  })
  test.each(lists)('goes on over %s between its rules', (_, line) => {
    const text = `User-agent: shopbot\nDisallow: /a\n${line}\nDisallow: /b`
    expect(isAllowed(text, 'shopbot', '/a')).toBe(false)
    expect(isAllowed(text, 'shopbot', '/b')).toBe(false)
  })
  test.each(lists)('of all crawlers goes on over %s', (_, line) => {
    const text = `User-agent: *\n${line}\nUser-agent: one\nUser-agent: two\nDisallow: /`
    for (const agent of ['*', 'third', 'one', 'two']) expect(isAllowed(text, agent, '/')).toBe(false)
  })
  test.each([['Disallow: /tmp'], ['Allow: /tmp'], ['Disallow:'], ['Allow:']])('ends after its rule %s', rule => {
    const text = `User-agent: shopbot\n${rule}\nUser-agent: other\nDisallow: /`
    expect(isAllowed(text, 'shopbot', '/a')).toBe(true)
    expect(isAllowed(text, 'other', '/a')).toBe(false)
  })
  test('is one with the other groups of its name, and rules outside any group are none', () => {
    const text = [
      'allow: /foo/bar/',
      '',
      'user-agent: one',
      'disallow: /',
      'allow: /x/',
      'user-agent: two',
      'disallow: /',
      'allow: /y/',
      '',
      '',
      'allow: /w/',
      'user-agent: three',
      '',
      'user-agent: one',
      'allow: /z/',
      'disallow: /',
    ].join('\n')
    const allowed = (agent: string) =>
      ['/x/b', '/y/c', '/z/d', '/w/a', '/foo/bar/'].filter(path => isAllowed(text, agent, path))
    expect(allowed('one')).toEqual(['/x/b', '/z/d'])
    expect(allowed('two')).toEqual(['/y/c', '/w/a'])
    expect(allowed('three')).toEqual(['/z/d'])
  })
  test('of a name without letters is the group of no crawler', () => {
    expect(isAllowed('User-agent: shopbot\nAllow: /\nUser-agent: ()\nDisallow: /', 'shopbot', '/a')).toBe(true)
    expect(isAllowed('User-agent:\nDisallow: /', '*', '/a')).toBe(true)
  })
  test('of its own takes the place of that of all crawlers, even without a rule that matches', () => {
    const text = 'User-agent: *\nDisallow: /x/\nUser-agent: shopbot\nDisallow: /y/'
    expect([isAllowed(text, 'shopbot', '/x/page'), isAllowed(text, 'shopbot', '/y/page')]).toEqual([true, false])
    expect(isAllowed('User-agent: shopbot\nAllow: /\nUser-agent: other\nDisallow: /', 'third', '/x')).toBe(true)
  })
})

describe('the name of a crawler', () => {
  test.each<[written: string, asked: string, isMeant: boolean]>([
    ['googlebot', 'Googlebot', true],
    ['GOOGLEBOT', 'googlebot', true],
    ['googlebot images', 'googlebot', true],
    ['googlebot/2.1', 'googlebot', true],
    ['googlebot/2.1 (+http://www.google.com/bot.html)', 'googlebot', true],
    ['googlebot (compatible)', 'googlebot', true],
    ['googlebot; video', 'googlebot', true],
    ['googlebot, bingbot', 'googlebot', true],
    ['googlebot*', 'googlebot', true],
    ['googlebot2', 'googlebot', true],
    ['"googlebot"', 'googlebot', false],
    ['googlebot-image', 'googlebot', false],
    ['googlebot_image', 'googlebot', false],
    ['googlebot', 'googlebot-image', false],
    ['google', 'googlebot', false],
    ['googlebot', 'googlebot/2.1', true],
    ['Foo_Bar-baz', 'foo_bar-baz', true],
    ['MJ12bot', 'mj12bot', true],
    ['MJ13bot', 'mj12bot', false],
    ['360Spider', '360spider', true],
    ['008', '008', true],
    ['ツ', 'googlebot', false],
    ['*', 'googlebot', true],
    ['* (all robots)', 'googlebot', true],
    ['*\tall', 'googlebot', true],
    ['*bot', 'googlebot', false],
    ['*/2.0', 'googlebot', false],
  ])('%s means %s: %s', (written, asked, isMeant) => {
    expect(isAllowed(`User-agent: ${written}\nDisallow: /`, asked, '/a')).toBe(!isMeant)
  })
  test('with a word behind it asks for no other name', () => {
    const text = 'User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /'
    expect([isAllowed(text, 'Foo', '/x/y'), isAllowed(text, 'Foo Bar', '/x/y')]).toEqual([true, false])
  })
})

describe('a line', () => {
  test.each<[string, string]>([
    ['in capitals', 'USER-AGENT: shopbot\nDISALLOW: /'],
    ['in mixed case', 'uSeR-aGeNt: shopbot\ndIsAlLoW: /'],
    ['with spaces around', '  User-agent :\tshopbot  \n \tDisallow : / '],
    ['of DOS', 'User-agent: shopbot\r\nDisallow: /\r\n'],
    ['of old Macs', 'User-agent: shopbot\rDisallow: /\r'],
    ['ended in three ways', 'User-agent: shopbot\r\n\rAllow: /x\n\r\nDisallow: /'],
    ['after a byte order mark', '\ufeffUser-agent: shopbot\nDisallow: /'],
    ['after a broken byte order mark', '\ufffdUser-agent: shopbot\nDisallow: /'],
    ['with a comment', 'User-agent: shopbot#all\nDisallow: /#closed'],
    ['without its colon', 'user-agent shopbot\ndisallow /'],
    ['without its colon, by a tab', 'User-agent\tshopbot\nDisallow\t\t/'],
    ['with a name written otherwise', 'useragent: shopbot\ndissallow: /'],
    ['with a name in two words', 'user agent: shopbot\ndisalow: /'],
    ['with more behind its name', 'user-agents: shopbot\ndisallowed: /'],
  ])('%s is read', (_, text) => expect(isAllowed(text, 'shopbot', '/a')).toBe(false))

  test.each<[string, string]>([
    ['with three words and no colon', 'user-agent shopbot\ndisallow / now'],
    ['of other fields', 'foo: shopbot\nbar: /'],
    ['with a byte order mark inside the file', 'User-agent: shopbot\n\ufeffDisallow: /'],
    ['with garbage before it', '\u0011\ufffdUser-agent: shopbot\nDisallow: /'],
    ['with another dash', 'User–agent: shopbot\nDisallow: /'],
  ])('%s is not', (_, text) => expect(isAllowed(text, 'shopbot', '/a')).toBe(true))

  test('is cut at eight times the longest address, not dropped', () => {
    const path = `/x/${'a'.repeat(2_083 * 8 - 'disallow: '.length - '/x/'.length - 1)}`
    const text = only(`Disallow: ${path}/more`)
    expect([isAllowed(text, 'shopbot', `${path}/else`), isAllowed(text, 'shopbot', '/x/a')]).toEqual([false, true])
  })
  test('of a sitemap counts wherever it stands, however long', () => {
    const long = `https://example.com/${'a'.repeat(1_000)}.xml`
    const text = `Sitemap: https://example.com/1.xml\n${only('Site-map: /2.xml\nDisallow: /')}\n\nSITEMAP:${long}`
    expect(readRobots(text).sitemaps).toEqual(['https://example.com/1.xml', '/2.xml', long])
    expect(isAllowed(text, 'shopbot', '/a')).toBe(false)
  })
})

describe('a rule', () => {
  test.each<[rules: string, allowed: string[], refused: string[]]>([
    ['Disallow: /x/', ['/X/y', '/'], ['/x/y']],
    ['Disallow: /x/page.html\nAllow: /x/', ['/x/'], ['/x/page.html']],
    ['Allow: /x/page.html\nDisallow: /x/', ['/x/page.html'], ['/x/']],
    ['Disallow:\nAllow:', ['/'], []],
    ['Disallow: /\nAllow: /', ['/x'], []],
    ['Disallow: /x\nAllow: /x/', ['/x/'], ['/x']],
    ['Allow: /page\nDisallow: /*.html', ['/page'], ['/page.html']],
    ['Allow: /x/page.\nDisallow: /*.html', ['/x/page.html'], ['/x/y.html']],
    ['Allow: /p\nDisallow: /', ['/page'], ['/x']],
    ['Allow: /folder\nDisallow: /folder', ['/folder/page'], []],
    ['Allow: /page\nDisallow: /*.htm', [], ['/page.htm']],
    ['Allow: /$\nDisallow: /', ['/'], ['/page.html']],
    [
      'Disallow: /\nAllow: /fish',
      ['/fish', '/fish.html', '/fish/salmon', '/fishheads', '/fish?id=1'],
      ['/Fish.asp', '/catfish', '/?id=fish'],
    ],
    ['Disallow: /\nAllow: /fish*', ['/fish', '/fish/salmon.html', '/fishheads'], ['/Fish.bar', '/catfish']],
    ['Disallow: /\nAllow: /fish/', ['/fish/', '/fish/?salmon'], ['/fish', '/fish.html', '/Fish/Salmon']],
    [
      'Disallow: /\nAllow: /*.php',
      ['/f.php', '/a/f.php?q', '/f.php/', '/i?f=f.php/', '//a/any.php.html'],
      ['/php/', '/index?php', '/w.PHP'],
    ],
    ['Disallow: /\nAllow: /*.php$', ['/f.php', '/a/f.php'], ['/f.php?q', '/f.php/', '/f.php5', '/aaaphpaaa']],
    ['Disallow: /\nAllow: /fish*.php', ['/fish.php', '/fishheads/catfish.php?q'], ['/Fish.PHP']],
    ['Disallow: /foo/bar/quz\nAllow: /foo/*/qux', ['/foo/quz', '/foo//quz', '/foo/bax/quz'], ['/foo/bar/quz']],
    ['Disallow: /foo/bar$\nAllow: /foo/bar/qux', ['/foo/bar/qux', '/foo/bar/'], ['/foo/bar']],
    ['# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /', ['/foo/bar'], ['/foo/quz']],
    ['Disallow: fish', ['/fish'], []],
    ['Disallow: *', [], ['/', '/fish']],
    ['Disallow: $', ['/', '/fish'], []],
    ['Disallow: /**a**b$', ['/ab/'], ['/ab', '/xaxb']],
    ['Disallow: /a$b', ['/a'], ['/a$b', '/a%24b/c']],
    ['Disallow: /', ['/robots.txt'], ['/robots.txt?x', '/robots.txt.bak']],
    ['Disallow: /\nAllow: /in/index.html', ['/in/', '/in/index.html'], ['/in/index.htm', '/in', '/in/x', '/other/']],
    ['Disallow: /\nAllow: /index.htm', ['/', '/index.html'], ['/a']],
    ['Disallow: /in/index.html', ['/in/'], ['/in/index.html']],
  ])('%j', (rules, allowed, refused) => {
    const text = only(rules)
    expect([...allowed, ...refused].filter(path => isAllowed(text, 'shopbot', path))).toEqual(allowed)
  })
})

describe('percent-encoding', () => {
  test.each<[pattern: string, path: string, isMatch: boolean]>([
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz', true],
    ['/foo/bar?baz=http://foo.bar?t&p', '/foo/bar?baz=http://foo.bar?t&p', true],
    ['/foo/bar?baz=http%3A%2F%2Ffoo.bar', '/foo/bar?baz=http%3a%2f%2ffoo.bar', true],
    ['/foo/bar?baz=http%3A%2F%2Ffoo.bar', '/foo/bar?baz=http://foo.bar', false],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84', true],
    ['/foo/bar/ツ', '/foo/bar/%e3%83%84', true],
    ['/foo/bar/%E3%83%84', '/foo/bar/%E3%83%84/x', true],
    ['/SanJoséSellers', '/SanJos%C3%A9Sellers', true],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz', true],
    ['/foo/bar/baz', '/foo/bar/%62%61%7a', true],
    ['/a%2Db%5fc%7E', '/a-b_c~', true],
    ['/a%2Fb', '/a/b', false],
    ['/a%aa', '/a%AA', true],
    ['/a b', '/a%20b', true],
    ['/a[1]', '/a[1]', true],
    ['/a|b', '/a%7Cb', true],
    ['/100%', '/100%/x', true],
    ['/file-with-a-%2A.html', '/file-with-a-*.html', true],
    ['/file-with-a-%2A.html', '/file-with-a-b.html', false],
    ['/foo-%24', '/foo-$', true],
    ['/foo-%24', '/foo-', false],
    ["/?q='a'", "/?q='a'", true],
    ["/?q='a'", '/?q=%27a%27', true],
  ])('the rule %s and the path %s', (pattern, path, isMatch) =>
    expect(isAllowed(only(`Disallow: ${pattern}`), 'shopbot', path)).toBe(!isMatch),
  )
})

describe('our own crawler', () => {
  const may = (text: string, path: string) => readForOurCrawler(text).allows(new URL(path, 'https://example.com'))
  const delayOf = (text: string) => readForOurCrawler(text).delayMs

  test('keeps out of what a list of names closes, whatever stands between the names', () => {
    for (const line of ['Crawl-delay: 5', 'Sitemap: https://example.com/s.xml', 'Host: example.com', 'Noindex: /'])
      expect(may(`User-agent: ${robotName}\n${line}\nUser-agent: x\nDisallow: /`, '/a'), line).toBe(false)
    expect(may('User-agent: * (all robots)\nDisallow: /', '/a')).toBe(false)
    expect(may(`User-agent: ${robotName} 1.0\nDisallow: /`, '/a')).toBe(false)
    expect(may("User-agent: *\nDisallow: /*?q='", "/a?q='b'")).toBe(false)
  })
  test('heeds the delay of those named before it only', () => {
    expect(delayOf('User-agent: x\nCrawl-delay: 20\n\nUser-agent: *\nDisallow: /a')).toBe(0)
    expect(delayOf('User-agent: x\nUser-agent: *\nCrawl-delay: 20\nDisallow: /a')).toBe(20_000)
    expect(delayOf('User-agent: *\nDisallow: /a\nCrawl-delay: 2\nUser-agent: x\nCrawl-delay: 20')).toBe(2_000)
    expect(delayOf('User-agent: *\nCrawl-delay: 2\nUser-agent: x\nCrawl-delay: 20\nDisallow: /a')).toBe(20_000)
  })
  test('reads of a pattern that is too long for it as much as refuses more', () => {
    const long = `/${'a'.repeat(1_200)}`
    expect(may(`User-agent: *\nDisallow: ${long}`, long)).toBe(false)
    expect(may(`User-agent: *\nDisallow: /\nAllow: ${long}`, long)).toBe(false)
    expect(may(`User-agent: x\nDisallow: ${long}\nUser-agent: *\nDisallow: /`, '/b')).toBe(false)
    expect(may(`User-agent: ${robotName}\nAllow: ${long}\nUser-agent: x\nDisallow: /`, '/b')).toBe(true)
  })
})
