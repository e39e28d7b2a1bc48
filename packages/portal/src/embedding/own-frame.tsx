import { Report, type service } from 'powerbi-client';
import type { EmbedProps } from 'powerbi-client-react';
import { useEffect, useRef } from 'react';

type Props = Required<
  Pick<EmbedProps, 'embedConfig' | 'eventHandlers' | 'getEmbeddedComponent' | 'cssClassName'>
> & { service: service.Service };

/** The element that the client finds a report by. */
type PowerBiElement = HTMLDivElement & { powerBiEmbed?: Report };

function embedIn(
  element: PowerBiElement,
  { service, embedConfig, eventHandlers, getEmbeddedComponent }: Props,
): void {
  const frame = document.createElement('iframe');
  // The frame is the last parameter; neither phased rendering nor bootstrapping comes before it.
  const report = new Report(service, element, embedConfig, false, false, frame);
  element.powerBiEmbed = report;
  service.addOrOverwriteEmbed(report, element);
  for (const [name, handle] of eventHandlers) report.on(name, (event) => handle?.(event, report));
  getEmbeddedComponent(report);
  // Now that the client waits for it to load. What it tells its events apart by is part of the address.
  frame.src = `${report.config.embedUrl}&uid=${report.config.uniqueId}`;
  element.append(frame);
}

/**
 * In the place of `PowerBIEmbed` where Microsoft's client makes no frame, because the address is not https on a host of
 * Microsoft's: the emulator's. Only the frame is made here. All else is the client's own; its `Report` takes a frame that is
 * there already, as it does itself when a new report becomes a saved one.
 */
export function OwnFrame(props: Props) {
  const container = useRef<HTMLDivElement>(null);
  // Once, as `PowerBIEmbed` does with a configuration that stays the same.
  const first = useRef(props);
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const { service } = first.current;
    embedIn(element, first.current);
    return () => service.reset(element);
  }, []);
  return <div ref={container} className={props.cssClassName} />;
}
