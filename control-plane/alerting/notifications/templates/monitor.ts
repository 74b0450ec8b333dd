import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { teamOf } from '#control-plane/alerting/notifications/values.ts'

interface NoticeTexts {
  en: string
  de: string
  hasPage?: boolean
  note?: { en: string; de: string }
}

const notice = ({ en, de, hasPage = true, note }: NoticeTexts): MessageTemplate => {
  const complete = (
    heading: string,
    [team, address, when, open]: readonly [string, string, string, string],
    more: string | undefined,
  ) => ({
    subject: heading,
    heading,
    paragraphs: [],
    details: [
      [team, '{{ team }}'],
      [address, '{{ monitor_url }}'],
      [when, '{{ timestamp | moment }}'],
    ] as const,
    ...(hasPage && { button: open }),
    ...(more !== undefined && { note: more }),
  })
  return {
    tone: 'neutral',
    link: '{{ details_url }}',
    derive: data => ({ team: teamOf(data) }),
    en: complete(en, ['Team', 'Address', 'When', 'Open the monitor'], note?.en),
    de: complete(de, ['Team', 'Adresse', 'Wann', 'Monitor öffnen'], note?.de),
  }
}

export const monitorTemplates: Record<string, MessageTemplate> = {
  'monitor.created': notice({
    en: 'The monitor {{ monitor_name }} was created',
    de: 'Der Monitor {{ monitor_name }} wurde angelegt',
  }),
  'monitor.updated': notice({
    en: 'The monitor {{ monitor_name }} was changed',
    de: 'Der Monitor {{ monitor_name }} wurde geändert',
  }),
  'monitor.deleted': notice({
    en: 'The monitor {{ monitor_name }} was deleted',
    de: 'Der Monitor {{ monitor_name }} wurde gelöscht',
    hasPage: false,
  }),
  'monitor.enabled': notice({
    en: 'The monitor {{ monitor_name }} was switched on',
    de: 'Der Monitor {{ monitor_name }} wurde eingeschaltet',
  }),
  'monitor.disabled': notice({
    en: 'The monitor {{ monitor_name }} was switched off',
    de: 'Der Monitor {{ monitor_name }} wurde ausgeschaltet',
    note: {
      en: 'It is not checked and alerts nobody until it is switched on again.',
      de: 'Bis er wieder eingeschaltet wird, wird er nicht geprüft und niemand benachrichtigt.',
    },
  }),
}
