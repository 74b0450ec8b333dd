import { z } from 'zod'
import { Address, reading } from './fields.ts'
import { channelKind, post } from './kind.ts'
import { cut, cutEscaped, cutLines, limits } from './limits.ts'
import { notificationFor } from './read.ts'

const { slack: most } = limits

/** Slack interprets these three characters, except in plain text. */
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
/** A Slack link: the label follows a bar. */
const linkTo = ({ label, url }: { label: string; url: string }) =>
  `<${escapeText(url).replaceAll('|', '%7C')}|${escapeText(label)}>`
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })
const section = (lines: readonly string[]) =>
  lines.length > 0 ? [{ type: 'section', text: plain(cutLines(lines, most.text).join('\n')) }] : []

export const slack = channelKind({
  type: 'slack',
  config: z.object({ webhook_url: Address, ...reading }),
  secrets: ['webhook_url'],
  urls: ['webhook_url'],

  write(message, config, sending) {
    const { subject, heading, paragraphs, details, lists, buttons, note } = notificationFor(message, config, sending)
    return post(config.webhook_url, {
      // shown in notifications of phones
      text: cutEscaped(subject, most.text, escapeText),
      unfurl_links: false,
      unfurl_media: false,
      // texts of customers are plain text only, in which Slack finds no mentions, links or formats
      blocks: [
        { type: 'header', text: plain(cut(heading, most.header)) },
        ...section(paragraphs),
        ...(details.length > 0
          ? [
              {
                type: 'section',
                fields: details
                  .slice(0, most.fields)
                  .map(({ label, value }) => plain(cut(`${label}\n${value}`, most.field))),
              },
            ]
          : []),
        ...lists.flatMap(({ title, rows }) =>
          section(
            [title, ...rows.map(({ text, detail }) => (detail === '' ? `• ${text}` : `• ${text}: ${detail}`))].filter(
              line => line !== '',
            ),
          ),
        ),
        ...(note !== '' ? [{ type: 'context', elements: [plain(cut(note, most.field))] }] : []),
        ...(buttons.length > 0
          ? [{ type: 'section', text: { type: 'mrkdwn', text: buttons.map(linkTo).join('   '), verbatim: true } }]
          : []),
      ],
    })
  },
})
