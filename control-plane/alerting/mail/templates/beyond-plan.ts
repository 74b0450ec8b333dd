import type { Language } from '#contract/languages.ts'
import { asRecord, type Scope } from '#control-plane/alerting/mail/content.ts'
import { featureName } from './features.ts'
import type { List } from './template.ts'

const words: Record<Language, { monitors: [string, string]; channels: [string, string]; and: string }> = {
  en: { monitors: ['monitor', 'monitors'], channels: ['channel', 'channels'], and: 'and' },
  de: { monitors: ['Monitor', 'Monitore'], channels: ['Kanal', 'Kanäle'], and: 'und' },
}
const allows: Record<Language, (limit: unknown) => string> = {
  en: limit => `the plan allows ${String(limit)}`,
  de: limit => `der Tarif erlaubt ${String(limit)}`,
}

/** Such as “2 monitors and 1 channel”; empty where there are none of them. */
export function amounts(language: Language, monitors: unknown, channels: unknown): string {
  const { and, ...nouns } = words[language]
  const parts = (['monitors', 'channels'] as const).flatMap(kind => {
    const count = Number((kind === 'monitors' ? monitors : channels) ?? 0)
    return count > 0 ? [`${count} ${nouns[kind][count === 1 ? 0 : 1]}`] : []
  })
  return parts.join(` ${and} `)
}

/**
 * `on_hold`: what the plan holds, as an amount; `on_hold_one`: it is a single thing; `stays`: what there is more of
 * than it allows, as rows.
 */
export const deriveBeyond = (data: Scope, language: Language) => ({
  on_hold: amounts(language, data.monitors_on_hold, data.channels_on_hold),
  on_hold_one: Number(data.monitors_on_hold ?? 0) + Number(data.channels_on_hold ?? 0) === 1,
  stays: (Array.isArray(data.over_limit) ? data.over_limit : []).map(asRecord).map(({ feature, current, limit }) => ({
    name: featureName(language, String(feature)),
    detail: `${String(current)}, ${allows[language](limit)}`,
  })),
})

const namesOnHold = (things: 'monitor' | 'channel', title: string): List => ({
  ...{ title, of: `${things}_names`, row: '{{ text }}', detail: '' },
  ...{ most: 10, count: `${things}s_on_hold` },
})

/** What is on hold and what stays, by name. */
export const beyondLists: Record<Language, List[]> = {
  en: [
    namesOnHold('monitor', 'Monitors {% if is_ahead %}that will be {% endif %}on hold'),
    namesOnHold('channel', 'Channels {% if is_ahead %}that will be {% endif %}on hold'),
    { title: 'More than the plan allows', of: 'stays', row: '{{ name }}', detail: '{{ detail }}' },
  ],
  de: [
    namesOnHold('monitor', '{% if is_ahead %}Dann ruhende{% else %}Ruhende{% endif %} Monitore'),
    namesOnHold('channel', '{% if is_ahead %}Dann ruhende{% else %}Ruhende{% endif %} Kanäle'),
    { title: 'Mehr, als der Tarif erlaubt', of: 'stays', row: '{{ name }}', detail: '{{ detail }}' },
  ],
}

/** What follows from what is beyond the plan, said of the present; empty where nothing is. */
export const beyondNow: Record<Language, string> = {
  en:
    '{% if on_hold != "" or stays.size > 0 %}Nothing was deleted.' +
    '{% if on_hold != "" %} {{ on_hold }} beyond the plan {% if on_hold_one %}is{% else %}are{% endif %} on hold: ' +
    'monitors are not checked, channels are sent nothing.' +
    '{% if monitors_on_hold > 0 %} You choose which monitors stay.{% endif %}{% endif %}' +
    '{% if stays.size > 0 %} What else there is more of stays, and can only become less.{% endif %}{% endif %}',
  de:
    '{% if on_hold != "" or stays.size > 0 %}Nichts wurde gelöscht.' +
    '{% if on_hold != "" %} {{ on_hold }} über dem Tarif {% if on_hold_one %}ruht{% else %}ruhen{% endif %}: ' +
    'Monitore werden nicht geprüft, Kanälen wird nichts gesendet.' +
    '{% if monitors_on_hold > 0 %} Sie wählen, welche Monitore bleiben.{% endif %}{% endif %}' +
    '{% if stays.size > 0 %} Was sonst darüber hinausgeht, bleibt und kann nur weniger werden.{% endif %}{% endif %}',
}

/** The same of what is to come. */
export const beyondAhead: Record<Language, string> = {
  en:
    '{% if on_hold != "" or stays.size > 0 %}Nothing is deleted.' +
    '{% if on_hold != "" %} As things are, {{ on_hold }} beyond the plan will be on hold: monitors are not checked ' +
    'then, channels are sent nothing.' +
    '{% if monitors_on_hold > 0 %} You choose which monitors stay.{% endif %}{% endif %}' +
    '{% if stays.size > 0 %} What else there is more of stays, and can only become less.{% endif %}{% endif %}',
  de:
    '{% if on_hold != "" or stays.size > 0 %}Nichts wird gelöscht.' +
    '{% if on_hold != "" %} Beim jetzigen Stand ruhen dann {{ on_hold }} über dem Tarif: Monitore werden nicht ' +
    'geprüft, Kanälen wird nichts gesendet.' +
    '{% if monitors_on_hold > 0 %} Sie wählen, welche Monitore bleiben.{% endif %}{% endif %}' +
    '{% if stays.size > 0 %} Was sonst darüber hinausgeht, bleibt und kann nur weniger werden.{% endif %}{% endif %}',
}
