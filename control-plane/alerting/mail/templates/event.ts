import { template, type Words } from './template.ts'

const words: Words = {
  subject: '{{ title }}',
  heading: '{{ title }}',
  paragraphs: [],
  lists: [{ title: '', of: 'lines', row: '{{ label }}', detail: '{{ value }}' }],
}

export const event = template({ type: 'event', tone: 'neutral', isAlert: true, en: words, de: words })
