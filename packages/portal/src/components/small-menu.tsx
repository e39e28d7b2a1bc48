import {
  type ComponentType,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

interface ButtonProps {
  ref: Ref<HTMLButtonElement>;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
  onClick: () => void;
}

interface Props {
  /** Name of the menu. */
  label: string;
  button: (props: ButtonProps) => ReactNode;
  /** Elements with `menuItem` or `menuRadio`; a press on a `menuItem` closes the menu. */
  children: ReactNode;
  onOpened?: () => void;
}

/** Attributes of an entry. */
export const menuItem = { role: 'menuitem', tabIndex: -1, className: 'small-menu-item' } as const;
/** Attributes of an entry that cannot be used and contains the reason: it can be focused and leaves the menu open. */
export const menuHint = { ...menuItem, 'aria-disabled': true } as const;
/** Attributes of a choice. It has `aria-checked`, and leaves the menu open. */
export const menuRadio = { ...menuItem, role: 'menuitemradio' } as const;

interface ContentProps {
  icon: ComponentType<{ size?: number }>;
  text: string;
}

export const MenuContent = ({ icon: Icon, text }: ContentProps) => (
  <>
    <Icon size={16} aria-hidden />
    <span>{text}</span>
  </>
);

const itemsOf = (menu: HTMLElement | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)') ?? []),
];

/** Where the arrow keys lead, as in the ARIA pattern of a menu. */
const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

const MARGIN = 8;

/** Keeps a menu, which ends where its button ends, inside the window. */
function keepInside(menu: HTMLElement): void {
  const { left, right, top } = menu.getBoundingClientRect();
  const shift = Math.max(MARGIN - left, 0) || Math.min(innerWidth - MARGIN - right, 0);
  menu.style.translate = `${shift}px`;
  menu.style.maxHeight = `${innerHeight - MARGIN - top}px`;
}

/** A menu below its button. Mantine's positions itself, which is 35 kB that every page would load first. */
export function SmallMenu({ label, button, children, onOpened }: Props) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (opened && menu.current !== null) keepInside(menu.current);
  }, [opened]);
  useEffect(() => {
    if (opened) itemsOf(menu.current)[0]?.focus();
  }, [opened]);

  const close = (): void => {
    setOpened(false);
    opener.current?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    if (!opened) return;
    if (event.key === 'Escape') return close();
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const items = itemsOf(menu.current);
    const at = items.findIndex((item) => item === document.activeElement);
    items[step(at, items.length)]?.focus();
  };
  const leave = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) setOpened(false);
  };
  return (
    <div className="small-menu" onKeyDown={press} onBlur={leave}>
      {button({
        ref: opener,
        'aria-haspopup': 'menu',
        'aria-expanded': opened,
        'aria-controls': opened ? id : undefined,
        onClick: () => {
          setOpened(!opened);
          if (!opened) onOpened?.();
        },
      })}
      {opened && (
        <div
          ref={menu}
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          className="small-menu-list"
          onClick={({ target }) => {
            // A dialog that the entry opens returns the focus to the button.
            if (target instanceof Element && target.closest('[role=menuitem]:not([aria-disabled])') !== null)
              close();
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}
