// Results of runs as bytes, to be sent from the rank that has computed them to the others, or to be kept for a run that
// goes on later. Nothing is lost: what is read back is the same to the last bit. Whatever is read is checked; damage is
// a RunError.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/islands.hpp"
#include "compare/runs/run.hpp"

namespace evident::wire {

std::vector<std::byte> pack(const runs::Finished& finished);
runs::Finished unpack_finished(std::span<const std::byte> bytes);

std::vector<std::byte> pack(const PlanOfPilot& pilot);
PlanOfPilot unpack_pilot(std::span<const std::byte> bytes);

std::vector<std::byte> pack(const runs::FinishedFamily& finished);
runs::FinishedFamily unpack_family(std::span<const std::byte> bytes);

/// What the judges of a model fill in: evidence, errors, verdict and reasons.
std::vector<std::byte> pack_judgement(const ModelResult& result);
void unpack_judgement(std::span<const std::byte> bytes, ModelResult& result);

/// Changes whenever what is packed here changes its shape: bytes of another shape are not to be read.
std::string layout();

}  // namespace evident::wire
