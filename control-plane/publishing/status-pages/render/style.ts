import { asText, contrastOf, onColor } from '#control-plane/tenancy/branding/contrast.ts'
import type { PageModel } from './model.ts'

export const light = {
  page: '#ffffff',
  ink: '#1b1f24',
  soft: '#57606a',
  line: '#d0d7de',
  raised: '#f6f8fa',
  link: '#0b5cad',
}
const dark = { page: '#0d1117', ink: '#e6edf3', soft: '#9aa5b1', line: '#30363d', raised: '#161b22', link: '#79b8ff' }

/** Text colours of each state, with enough contrast on the page and on raised parts of it. */
export const lightStates = {
  ok: '#1a7f37',
  minor: '#8a5a00',
  bad: '#c21c26',
  maint: '#0a5fb8',
  none: '#6e7781',
  fair: '#bf8700',
  pale: '#8c959f',
}
const darkStates = {
  ok: '#3fb950',
  minor: '#d9a322',
  bad: '#ff7b72',
  maint: '#79b8ff',
  none: '#8b949e',
  fair: '#d9a322',
  pale: '#6e7781',
}

type Palette = typeof light

const properties = (palette: Palette, states: typeof lightStates, link: string) =>
  Object.entries({ ...palette, ...states, link })
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/** The brand's colour where it can be read on both backgrounds, else the usual one. */
const linkOn = ({ page, raised, link }: Palette, color: string) =>
  contrastOf(color, raised) >= 4.5 ? asText(color, page, link) : link

const rules = `
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99em}
.skip:focus{left:1rem;top:.5rem;background:var(--page);padding:.5rem 1rem}
.w{max-width:54rem;margin:auto;padding:0 1rem}
header{background:var(--brand);color:var(--on)}
header .w{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;padding-block:.9rem}
header a{color:inherit}
header a:focus-visible{outline-color:var(--on)}
.name{font-size:1.2rem;font-weight:650;text-decoration:none;margin-right:auto;display:flex;gap:.75rem;
align-items:center;min-height:2rem}
.name img{max-height:2.5rem;max-width:12rem}
nav ul,.parts,.posts{list-style:none;margin:0;padding:0}
nav ul{display:flex;flex-wrap:wrap;gap:0 1rem}
nav li{padding:.25rem 0}
nav a{display:inline-block;min-height:24px}
[aria-current]{text-decoration:none;font-weight:600}
.banner{display:flex;gap:.75rem;align-items:center;margin:1.5rem 0;padding:1rem 1.25rem;border-radius:8px;
font-size:1.35rem;line-height:1.3;border:1px solid var(--line);border-left:.5rem solid var(--s);
background:var(--raised)}
.dot{flex:none;width:.85em;height:.85em;border-radius:50%;background:var(--s)}
.minor .dot,.major .dot{border-radius:2px}
.maint .dot{border-radius:50% 0}
.none .dot{background:none;border:2px solid var(--s)}
.ok{--s:var(--ok)}.minor{--s:var(--minor)}.major{--s:var(--bad)}.maint{--s:var(--maint)}.none{--s:var(--none)}
.state{color:var(--s);display:inline-flex;gap:.4rem;align-items:center;font-weight:600}
.note{border:1px solid var(--minor);border-radius:8px;padding:.6rem 1rem;margin:1rem 0}
h2{font-size:1.2rem;margin:2rem 0 .75rem}
h3,h4{font-size:1rem;margin:0}
.lead,.soft{color:var(--soft)}
.card{border:1px solid var(--line);border-radius:8px;margin:0 0 1rem;padding:.25rem 1.25rem}
.card>summary{display:flex;flex-wrap:wrap;gap:.25rem 1rem;justify-content:space-between;align-items:center;
cursor:pointer;padding:.6rem 0}
.card>summary h3:before{content:"▸ "}
.card[open]>summary h3:before{content:"▾ "}
.parts>li{padding:.8rem 0;border-top:1px solid var(--line)}
.card>.parts:first-child>li:first-child{border-top:0}
.row{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:space-between;align-items:baseline}
.parts p{margin:.15rem 0}
svg{display:block;width:100%;height:2rem;margin:.4rem 0 .15rem}
path{stroke:var(--s);stroke-width:3;fill:none}
path+path{stroke-width:3.4}
path.minor{stroke:var(--fair)}
path.none{stroke:var(--pale)}
path.cur{stroke:var(--ink);stroke-width:2}
.foot{display:flex;justify-content:space-between;gap:.5rem;font-size:.85rem;color:var(--soft)}
.foot[data-at] span{display:none}
.foot[data-at]:before{content:attr(data-at)}
.days summary{display:inline-block;cursor:pointer;font-size:.85rem;color:var(--soft);min-height:24px;padding:.1rem 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.85rem;width:100%}
tr{border-top:1px solid var(--line)}
th,td{text-align:left;padding:.2rem .6rem .2rem 0;font-weight:400;vertical-align:top}
thead th{font-weight:600}
.posts>li,article{border-left:4px solid var(--s);padding:.1rem 0 .1rem 1rem;margin:0 0 1.5rem}
.posts p,article p{margin:.3rem 0}
.up{margin:.8rem 0}
pre{overflow-x:auto;background:var(--raised);padding:.5rem}
blockquote{margin:.5rem 0;padding-left:1rem;border-left:3px solid var(--line)}
footer{border-top:1px solid var(--line);margin-top:3rem;padding:1.25rem 0 2rem;color:var(--soft);font-size:.9rem}
footer nav{margin:.25rem 0}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media print{.skip,nav,.days{display:none}}
`.replaceAll('\n', '')

const formRules = `
form{max-width:24rem}
label{display:block;font-weight:600}
input,button{font:inherit;padding:.55rem .75rem;border-radius:6px;border:1px solid var(--soft);min-height:44px}
input{width:100%;background:var(--page);color:inherit;margin:.3rem 0 .8rem}
fieldset{border:1px solid var(--line);border-radius:8px;margin:1rem 0}
fieldset label{display:flex;gap:.6rem;align-items:center;font-weight:400;min-height:32px}
fieldset input{flex:none;width:1.2rem;min-height:1.2rem;margin:0}
.bad{color:var(--bad);margin:0 0 .8rem}
button{background:var(--brand);color:var(--on);cursor:pointer}
.go{display:inline-block;background:var(--brand);color:var(--on);padding:.55rem .9rem;border-radius:6px}
`.replaceAll('\n', '')

/** The colour of the brand, where it is one. */
export const brandColor = (color: string): string => (/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(color) ? color : '#1f6feb')

/** The one style sheet of a page: our rules, with the brand's colour where it is readable. Most documents have no form. */
export function styleOf(
  { brand, theme }: Pick<PageModel, 'theme'> & { brand: { color: string } },
  { hasForm }: { hasForm: boolean },
): string {
  const color = brandColor(brand.color)
  const [day, night] = [
    properties(light, lightStates, linkOn(light, color)),
    properties(dark, darkStates, linkOn(dark, color)),
  ]
  const own = `--brand:${color};--on:${onColor(color)}`
  const scheme = theme === 'auto' ? 'light dark' : theme
  return (
    `:root{color-scheme:${scheme};${own};${theme === 'dark' ? night : day}}` +
    `${theme === 'auto' ? `@media(prefers-color-scheme:dark){:root{${night}}}` : ''}${rules}${hasForm ? formRules : ''}`
  )
}
