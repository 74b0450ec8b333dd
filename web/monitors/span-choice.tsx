import { useTranslation } from 'react-i18next'
import { Segments } from '../parts/segments.tsx'
import { type Span, spans } from './queries.ts'

interface SpanChoiceProps {
  span: Span
  onChange(span: Span): void
}

const names = Object.keys(spans) as Span[]

/** How much time is shown, up to now. */
export function SpanChoice({ span, onChange }: SpanChoiceProps) {
  const { t } = useTranslation('parts')
  return (
    <Segments
      label={t('span')}
      choices={names.map(id => ({ id, label: t(`span.${id}`) }))}
      value={span}
      onChange={onChange}
    />
  )
}
