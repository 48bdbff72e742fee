// generator/frontend/RaceWarnings.cpp: words a race's message and its note.
#include "RaceWarnings.hpp"

#include "AtomicCalls.hpp"
#include "Diagnostics.hpp"

namespace foldwise {

using namespace clang;

/// What to write in place of a phase in which items read what others write.
static std::string phasesInstead(const Race& race) {
    if (!race.guard.empty())
        return "leave out the items whose elements others read, as in if (" + race.guard +
               "), or have b.fold() combine what items have";
    if (race.isInItsWrite) return "read in one b.each(), into what b.own() keeps, and write in the next";
    return "end the phase between the two, and begin another b.each()";
}

void warnOfRaces(const std::vector<Race>& races, RaceOf which, ASTContext& context, std::set<SourceLocation>& told) {
    DiagnosticsEngine& diagnostics = context.getDiagnostics();
    const std::string header = headerOfAtomics(context);
    const unsigned ofItems = which == RaceOf::Items ? 1 : 0;
    for (const Race& race : races) {
        if (!told.insert(race.at).second) continue;
        const bool isRead = race.written.isValid(), hasCall = !race.atomic.empty();
        const char* const verb = race.isUpdate ? "update" : "write";
        const bool isLoop = !hasCall && race.isUpdate;
        constexpr unsigned written[] = {0, 4}, read[] = {1, 5}, besideAtomic = 6;  // among the choices of the message
        if (race.isAtomic)
            report(diagnostics, race.at, Message::LostUpdate)
                << race.view << (hasCall ? 0 : 1) << race.atomic << ofItems << race.element;
        else
            report(diagnostics, race.at, Message::Race)
                << (race.isConditional ? 1 : 0) << verb << race.view
                << (isRead ? phasesInstead(race)
                           : (hasCall ? race.atomic : "std::atomic_ref") + header +
                                 (isLoop ? ", in a loop as forall.md has it for a maximum" : ""))
                << (hasCall         ? 1
                    : race.isUpdate ? 0
                                    : 2)
                << (race.isBesideAtomic ? besideAtomic : (isRead ? read : written)[ofItems]) << race.element;
        if (isRead)
            report(diagnostics, race.written, Message::ReadMeets)
                << race.first << race.place << race.second << race.assumption << ofItems
                << (race.isBesideAtomic ? 1 : 0);
        else if (race.data.empty())
            report(diagnostics, race.at, Message::TasksMeet)
                << race.first << race.second << verb << race.place << race.assumption << ofItems;
        else
            report(diagnostics, race.at, Message::DataMeets) << race.data << race.first << race.second << ofItems;
    }
}

}  // namespace foldwise
