import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
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
    <ToggleButtonGroup
      className="spans"
      aria-label={t('span')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[span]}
      onSelectionChange={keys => {
        const chosen = names.find(name => keys.has(name))
        if (chosen) onChange(chosen)
      }}
    >
      {names.map(name => (
        <ToggleButton key={name} id={name}>
          {t(`span.${name}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
