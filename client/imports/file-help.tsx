import { ChevronDown } from 'lucide-react'
import { useId } from 'react'

const services: readonly { name: string; steps: readonly string[] }[] = [
  {
    name: 'Letterboxd',
    steps: ['On the website, open Settings → Data → Export your data.', 'Send the zip as it is.'],
  },
  {
    name: 'Goodreads',
    steps: [
      'On the website, open My Books → Tools → Import and export.',
      'Press Export Library, wait for the link above the list, and send the CSV file.',
    ],
  },
  {
    name: 'StoryGraph',
    steps: ['Open Manage Account → Manage Your Data → Export StoryGraph Library.', 'Send the CSV file.'],
  },
  {
    name: 'IMDb',
    steps: [
      'Open Your ratings or Your watchlist on the website and press Export.',
      'When the export is ready, download the CSV file and send it. Each list is a file of its own.',
    ],
  },
  {
    name: 'Trakt',
    steps: ['Open Settings → Data → Export your data.', 'Send the zip as it is.'],
  },
  {
    name: 'TMDB',
    steps: ['Open Settings → Export your ratings or watchlist.', 'Send the CSV file.'],
  },
  {
    name: 'IGDB',
    steps: [
      'Open one of your lists, such as Played, and press Export.',
      'Send the CSV file and choose its status.',
    ],
  },
  {
    name: 'NeoDB',
    steps: ['Open Data → Export marks and reviews.', 'Send the file as it is.'],
  },
  {
    name: 'Another Medley',
    steps: [
      'Open Settings → Account → Your data there, and download everything.',
      'Send the zip or medley.json.',
    ],
  },
  {
    name: 'Any other service, or a spreadsheet',
    steps: [
      'Save it as CSV with the names of the columns in the first line. One column has to hold titles.',
      'After the upload you choose what each column means.',
    ],
  },
]

/** Explains for each service how to get its file. */
export function FileHelp() {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="text-h3">
        How to get the file
      </h2>
      <div className="mt-2">
        {services.map(({ name, steps }) => (
          <details key={name} name="file-help" className="group border-b border-line last:border-none">
            <summary className="flex min-h-11 list-none items-center justify-between gap-3 rounded-item py-2 text-label [&::-webkit-details-marker]:hidden">
              {name}
              <ChevronDown
                aria-hidden
                className="size-4 shrink-0 text-muted transition-[rotate] group-open:rotate-180"
              />
            </summary>
            <ol className="mb-3 grid list-decimal gap-1 pl-5 text-meta text-muted">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </details>
        ))}
      </div>
    </section>
  )
}
