import { type ReactNode, useDeferredValue } from 'react'
import {
  CheckboxField as AriaCheckboxField,
  SwitchField as AriaSwitchField,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Button,
  CheckboxButton,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  SwitchButton,
  Text,
  TextArea,
} from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Icon } from './icons.tsx'
import './field.css'

/**
 * What every field has. `name` is the name of the field in the API: a refusal of this field is shown below it, if the
 * field is in a `Form` of form.tsx.
 */
export interface Labelled {
  label: ReactNode
  description?: ReactNode
  name?: string
}

/** What stands below a field: its description, and why it was refused. */
export function Notes({ description }: Pick<Labelled, 'description'>) {
  return (
    <>
      {description !== undefined && (
        <Text slot="description" className="field-description">
          {description}
        </Text>
      )}
      <FieldError className="field-error" />
    </>
  )
}

export function FieldLabel({ children, isRequired }: { children: ReactNode; isRequired?: boolean | undefined }) {
  const { t } = useTranslation('parts')
  return (
    <Label className="field-label">
      {children}
      {isRequired && (
        <span className="soft" aria-hidden="true">
          {' '}
          ({t('field.required')})
        </span>
      )}
    </Label>
  )
}

/** The properties of a field of React Aria that ours hand on. */
export type Bare<Props> = Omit<Props, 'children' | 'className' | 'style' | 'name' | 'render'>

export interface TextFieldProps extends Labelled, Bare<AriaTextFieldProps> {
  placeholder?: string
  /** More than one: a field of several lines. */
  rows?: number
  /** In the font of code: addresses, patterns, JSON. */
  isCode?: boolean
}

export function TextField({ label, description, placeholder, rows = 1, isCode, ...rest }: TextFieldProps) {
  const look = isCode ? 'field-box code' : 'field-box'
  return (
    <AriaTextField {...rest} className="field">
      <FieldLabel isRequired={rest.isRequired}>{label}</FieldLabel>
      {rows > 1 ? (
        <TextArea className={look} rows={rows} {...(placeholder !== undefined && { placeholder })} />
      ) : (
        <Input className={look} {...(placeholder !== undefined && { placeholder })} />
      )}
      <Notes description={description} />
    </AriaTextField>
  )
}

export interface Choice<Id extends string = string> {
  id: Id
  label: string
  description?: string
}

export interface SelectFieldProps<Id extends string> extends Labelled {
  choices: readonly Choice<Id>[]
  /** null: nothing is chosen. Without `value` the field keeps its own, beginning with `defaultValue`. */
  value?: Id | null
  defaultValue?: Id
  onChange?(value: Id): void
  onOpenChange?(isOpen: boolean): void
  placeholder?: string
  isRequired?: boolean
  isDisabled?: boolean
}

export function SelectField<Id extends string>({
  label,
  description,
  choices,
  placeholder,
  value,
  defaultValue,
  onChange,
  ...rest
}: SelectFieldProps<Id>) {
  const { t } = useTranslation('parts')
  return (
    <Select
      {...rest}
      className="field"
      placeholder={placeholder ?? t('field.choose')}
      {...(value !== undefined && { value })}
      {...(defaultValue !== undefined && { defaultValue })}
      onChange={chosen => onChange?.(chosen as Id)}
    >
      <FieldLabel isRequired={rest.isRequired}>{label}</FieldLabel>
      <Button className="field-box field-select">
        <SelectValue />
        <Icon name="chevronDown" />
      </Button>
      <Notes description={description} />
      <Popover className="popover">
        <ListBox className="choices" items={choices}>
          {choice => (
            <ListBoxItem className="choice" id={choice.id} textValue={choice.label}>
              <Text slot="label">{choice.label}</Text>
              {choice.description !== undefined && (
                <Text slot="description" className="field-description">
                  {choice.description}
                </Text>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  )
}

/** A choice that is drawn before it can be opened: the first paint of a page does not wait for its list. */
export function LateSelectField<Id extends string>(props: SelectFieldProps<Id>) {
  const isReady = useDeferredValue(true, false)
  if (isReady) return <SelectField {...props} />
  return (
    <div className="field">
      <span className="field-label">{props.label}</span>
      <span className="field-box field-select">
        {props.choices.find(({ id }) => id === props.value)?.label}
        <Icon name="chevronDown" />
      </span>
    </div>
  )
}

export interface BooleanFieldProps extends Labelled {
  isSelected?: boolean
  defaultSelected?: boolean
  onChange?(isSelected: boolean): void
  isDisabled?: boolean
}

/** A tick: takes effect with the form it is in. */
export function CheckboxField({ label, description, ...rest }: BooleanFieldProps) {
  return (
    <AriaCheckboxField {...rest} className="field field-boolean">
      <CheckboxButton className="field-tick">
        <span className="tick-box">
          <Icon name="check" />
        </span>
        {label}
      </CheckboxButton>
      <Notes description={description} />
    </AriaCheckboxField>
  )
}

/** A switch: on or off, also at once. */
export function SwitchField({ label, description, ...rest }: BooleanFieldProps) {
  return (
    <AriaSwitchField {...rest} className="field field-boolean">
      <SwitchButton className="field-tick">
        <span className="switch-track" />
        {label}
      </SwitchButton>
      <Notes description={description} />
    </AriaSwitchField>
  )
}
